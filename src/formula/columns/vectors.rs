//! Loops compiled for the widest vectors that a machine has.
//!
//! The loops are the same ones everywhere. They are inlined into functions that
//! may use more instructions than the rest of the program, so the compiler makes
//! wider vectors of them.

/// The instructions that loops are compiled for. Only those that the machine
/// has can be had.
#[derive(Clone, Copy, Debug)]
pub struct Vectors(Width);

#[derive(Clone, Copy, Debug)]
enum Width {
    /// What every machine can do.
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Vectors {
    /// The widest that this machine has.
    #[inline]
    pub fn widest() -> Vectors {
        #[cfg(target_arch = "x86_64")]
        {
            let has_512 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512bw");
            if has_512 {
                return Vectors(Width::Avx512);
            }
            if is_x86_feature_detected!("avx2") {
                return Vectors(Width::Avx2);
            }
        }
        Vectors(Width::Portable)
    }

    /// All that this machine has.
    #[cfg(test)]
    pub(super) fn all() -> Vec<Vectors> {
        let mut all = vec![Vectors(Width::Portable)];
        #[cfg(target_arch = "x86_64")]
        match Vectors::widest().0 {
            Width::Avx512 => all.extend([Vectors(Width::Avx2), Vectors(Width::Avx512)]),
            Width::Avx2 => all.push(Vectors(Width::Avx2)),
            Width::Portable => {}
        }
        all
    }

    /// Does some work, a plain loop, with these.
    #[inline(always)]
    pub fn run<R>(self, work: impl FnOnce() -> R) -> R {
        match self.0 {
            Width::Portable => work(),
            // SAFETY: `widest` found these instructions.
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => unsafe { with_avx2(work) },
            // SAFETY: the same.
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => unsafe { with_avx512(work) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<R>(work: impl FnOnce() -> R) -> R {
    work()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw")]
fn with_avx512<R>(work: impl FnOnce() -> R) -> R {
    work()
}
