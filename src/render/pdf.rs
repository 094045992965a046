//! Drawings as pages of a PDF, for print.
//!
//! A drawing has rectangles, paths and text, the text as outlines, all in plain
//! colours: what a PDF page is made of. Each is scaled to its page.

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Filter, Finish, Pdf, Rect, Ref, TextStr};
use resvg::usvg::tiny_skia_path::{PathSegment, Point};
use resvg::usvg::{FillRule, Group, LineCap, LineJoin, Node, Paint, Path, Stroke, Transform};

use super::png::{self, PngError};

/// Paper, in points of 1/72 inch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paper {
    /// 210 × 297 mm.
    A4,
    /// 8.5 × 11 inches.
    Letter,
}

impl Paper {
    /// Width and height, upright.
    pub fn size(self) -> (f32, f32) {
        match self {
            Paper::A4 => (595.28, 841.89),
            Paper::Letter => (612.0, 792.0),
        }
    }
}

/// Between a drawing and the edge of the paper, in points.
const MARGIN: f32 = 28.0;

/// A PDF with one SVG a page. On paper each is as large as that allows, and across
/// if that is larger; without paper a page is as large as what is on it, a unit for
/// a point.
pub fn document(title: &str, pages: &[&str], paper: Option<Paper>) -> Result<Vec<u8>, PngError> {
    let mut pdf = Pdf::new();
    let (catalog, tree, about) = (Ref::new(1), Ref::new(2), Ref::new(3));
    let page_of = |index: usize| Ref::new(4 + 2 * index as i32);
    pdf.catalog(catalog).pages(tree);
    pdf.document_info(about).title(TextStr(title)).creator(TextStr("Tailback"));
    pdf.pages(tree).kids((0..pages.len()).map(page_of)).count(pages.len() as i32);
    for (index, svg) in pages.iter().enumerate() {
        let (id, stream) = (page_of(index), Ref::new(5 + 2 * index as i32));
        let (size, content) = page(svg, paper)?;
        let mut page = pdf.page(id);
        page.parent(tree).media_box(Rect::new(0.0, 0.0, size.0, size.1)).contents(stream);
        page.resources();
        page.finish();
        pdf.stream(stream, &content).filter(Filter::FlateDecode);
    }
    Ok(pdf.finish())
}

/// The size of a page, and what is on it, packed.
fn page(svg: &str, paper: Option<Paper>) -> Result<((f32, f32), Vec<u8>), PngError> {
    let tree = png::tree(svg)?;
    let (width, height) = (tree.size().width(), tree.size().height());
    let (size, margin) = match paper.map(Paper::size) {
        None => ((width, height), 0.0),
        Some((short, long))
            if scale((width, height), (short, long)) >= scale((width, height), (long, short)) =>
        {
            ((short, long), MARGIN)
        }
        Some((short, long)) => ((long, short), MARGIN),
    };
    let scale = if paper.is_some() { scale((width, height), size) } else { 1.0 };

    let mut content = Content::new();
    // From the top down, in the middle, at the top margin.
    let left = (size.0 - scale * width) / 2.0;
    content.transform([scale, 0.0, 0.0, -scale, left, size.1 - margin]);
    group(&mut content, tree.root());
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
    let packed =
        std::io::Write::write_all(&mut packed, content.finish().as_slice()).and_then(|()| packed.finish());
    Ok((size, packed.map_err(|error| PngError::Encode(error.to_string()))?))
}

/// How much larger a drawing may be within the margins of a page.
fn scale((width, height): (f32, f32), (x, y): (f32, f32)) -> f32 {
    ((x - 2.0 * MARGIN) / width).min((y - 2.0 * MARGIN) / height)
}

fn group(content: &mut Content, group: &Group) {
    for node in group.children() {
        match node {
            Node::Group(inner) => self::group(content, inner),
            Node::Path(shape) => path(content, shape),
            // Letters are outlines by now, and there are no images.
            Node::Image(_) | Node::Text(_) => {}
        }
    }
}

fn path(content: &mut Content, path: &Path) {
    content.save_state();
    let Transform { sx, kx, ky, sy, tx, ty } = path.abs_transform();
    content.transform([sx, ky, kx, sy, tx, ty]);
    if let Some(fill) = path.fill()
        && let Paint::Color(colour) = fill.paint()
    {
        let [red, green, blue] = [colour.red, colour.green, colour.blue].map(|part| f32::from(part) / 255.0);
        content.set_fill_rgb(red, green, blue);
        outline(content, path);
        match fill.rule() {
            FillRule::NonZero => content.fill_nonzero(),
            FillRule::EvenOdd => content.fill_even_odd(),
        };
    }
    if let Some(stroke) = path.stroke()
        && let Paint::Color(colour) = stroke.paint()
    {
        let [red, green, blue] = [colour.red, colour.green, colour.blue].map(|part| f32::from(part) / 255.0);
        content.set_stroke_rgb(red, green, blue);
        line(content, stroke);
        outline(content, path);
        content.stroke();
    }
    content.restore_state();
}

fn line(content: &mut Content, stroke: &Stroke) {
    content.set_line_width(stroke.width().get());
    content.set_line_cap(match stroke.linecap() {
        LineCap::Butt => LineCapStyle::ButtCap,
        LineCap::Round => LineCapStyle::RoundCap,
        LineCap::Square => LineCapStyle::ProjectingSquareCap,
    });
    content.set_line_join(match stroke.linejoin() {
        LineJoin::Miter | LineJoin::MiterClip => LineJoinStyle::MiterJoin,
        LineJoin::Round => LineJoinStyle::RoundJoin,
        LineJoin::Bevel => LineJoinStyle::BevelJoin,
    });
    content.set_dash_pattern(stroke.dasharray().unwrap_or_default().iter().copied(), stroke.dashoffset());
}

fn outline(content: &mut Content, path: &Path) {
    let mut last = Point::zero();
    for segment in path.data().segments() {
        match segment {
            PathSegment::MoveTo(to) => {
                content.move_to(to.x, to.y);
                last = to;
            }
            PathSegment::LineTo(to) => {
                content.line_to(to.x, to.y);
                last = to;
            }
            PathSegment::QuadTo(by, to) => {
                // The same curve as a cubic one.
                let near =
                    |end: Point| (end.x + 2.0 / 3.0 * (by.x - end.x), end.y + 2.0 / 3.0 * (by.y - end.y));
                let ((x1, y1), (x2, y2)) = (near(last), near(to));
                content.cubic_to(x1, y1, x2, y2, to.x, to.y);
                last = to;
            }
            PathSegment::CubicTo(a, b, to) => {
                content.cubic_to(a.x, a.y, b.x, b.y, to.x, to.y);
                last = to;
            }
            PathSegment::Close => {
                content.close_path();
            }
        }
    }
}
