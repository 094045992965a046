//! Lists of boards as people have them, and what they say of each board.
//!
//! A list has one of three [forms](Form): text with a board a line (or a row a
//! line), a table with commas, semicolons or tabs between its columns, or a JSON
//! object a line; a Parquet file is read as the last. Which one it is shows in its
//! first lines. [`Records`] cuts a list into records, one for each board, in order
//! and in little memory; [`Form::entry`] takes one apart, on any thread.
//!
//! ```
//! use tailback::board::Reader;
//! use tailback::lists::{Options, Records};
//!
//! let lists = [
//!     "2 ..B.AAB......... 5\n",
//!     "..B.\nAAB.\n....\n....\n",
//!     "moves,board\n2,..B.AAB.........\n",
//!     "{\"board\": \"..B. AAB. .... ....\", \"moves\": 2}\n",
//! ];
//! for list in lists {
//!     let mut records = Records::new(list.as_bytes(), Options::default());
//!     let record = records.next().unwrap()?;
//!     let entry = records.form().entry(record.whole()?)?;
//!     let board = Reader::default().read(&entry.board)?;
//!     assert_eq!(board.text(), "..B.AAB.........");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod columns;
mod entry;
mod form;
mod json;
mod parquet;
mod records;
mod words;

pub use columns::line;
pub use entry::{Entry, ListError, id};
pub use form::Form;
pub use records::{Options, Record, Records};
