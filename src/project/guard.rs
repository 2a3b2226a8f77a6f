//! One file that makes the program panic must not take the others with it.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work`; `None` when it panicked.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    let before = GUARDED.replace(true);
    // What was half done is thrown away with the panic.
    let done = catch_unwind(AssertUnwindSafe(work)).ok();
    GUARDED.set(before);
    done
}

/// Whether a panic of this thread is caught where it is expected, so that a
/// panic hook has nothing to say or to put back.
pub fn is_guarded() -> bool {
    GUARDED.get()
}

/// Makes the panic hook silent where a panic is expected: its message may hold
/// text of a file, which must not reach a terminal raw.
pub fn quiet_expected_panics() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !is_guarded() {
            before(info);
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_inside_is_nothing_and_outside_is_one() {
        quiet_expected_panics();
        assert_eq!(guarded(|| 7), Some(7));
        let inside = guarded(|| -> u8 {
            assert!(is_guarded());
            panic!("on purpose")
        });
        assert_eq!(inside, None);
        assert!(!is_guarded());
        assert_eq!(guarded(|| guarded(|| 1)), Some(Some(1)));
    }
}
