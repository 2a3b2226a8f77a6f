//! When to draw, and when the detail follows the list: as soon as a person can
//! tell, and no oftener than a slow line can carry.

use std::time::{Duration, Instant};

use crate::skill::text::Shown;

/// The pace of the screen.
///
/// A key after a pause is drawn at once, with the detail. Of keys that come
/// faster than frames are worth, some are drawn; while a key is held down only
/// the list is, and the detail once, when the list rests. On a slow line, which
/// shows in how long a frame takes to be written, it rests longer.
#[derive(Debug, Default)]
pub struct Pace {
    /// The last key.
    key: Option<Instant>,
    /// When the detail is to follow.
    settle: Option<Instant>,
    /// The last frame that a key brought.
    drawn: Option<Instant>,
    /// When the frame that was put off is to be drawn.
    frame: Option<Instant>,
    /// How long frames take to be written.
    writing: Duration,
    toast: Option<Shown>,
    /// When what was said has been on the screen long enough.
    hush: Option<Instant>,
}

/// What has come due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// A frame that was put off.
    Frame,
    /// The detail is to follow the list.
    Settle,
    /// What was said is to go.
    Hush,
}

impl Pace {
    /// Between two frames that keys bring.
    const FRAME: Duration = Duration::from_millis(12);
    /// The shortest and longest rest of the list.
    const SHORT: Duration = Duration::from_millis(24);
    const LONG: Duration = Duration::from_millis(400);
    /// To read a line in.
    const READ: Duration = Duration::from_secs(8);

    fn rest(&self) -> Duration {
        (self.writing * 8).clamp(Self::SHORT, Self::LONG)
    }

    /// A key was taken. Whether the detail is to follow at once.
    pub fn key(&mut self, is_settled: bool) -> bool {
        let now = Instant::now();
        let was_resting = self.key.is_none_or(|key| now - key >= self.rest());
        self.key = Some(now);
        self.settle = (!is_settled && !was_resting).then(|| now + self.rest());
        !is_settled && was_resting
    }

    /// Whether the frame that a key brings is to be drawn now; if not, it comes
    /// due a little later.
    pub fn is_frame_due(&mut self) -> bool {
        let next = self.drawn.map(|drawn| drawn + Self::FRAME.max(self.writing));
        self.frame = next.filter(|next| *next > Instant::now());
        self.frame.is_none()
    }

    /// A frame was drawn, for a key or not, in so long.
    pub fn drawn(&mut self, for_key: bool, took: Duration) {
        self.frame = None;
        if for_key {
            self.drawn = Some(Instant::now());
        }
        // A slow line stays slow; one frame that went through tells little.
        self.writing = took.max(self.writing / 2);
    }

    /// What is said on the screen now.
    pub fn said(&mut self, toast: Option<&Shown>) {
        if toast != self.toast.as_ref() {
            self.toast = toast.cloned();
            self.hush = toast.map(|_| Instant::now() + Self::READ);
        }
    }

    /// Waits for what comes due next; for ever when nothing does.
    pub async fn due(&mut self) -> Due {
        let all = [(self.frame, Due::Frame), (self.settle, Due::Settle), (self.hush, Due::Hush)];
        let next = all.into_iter().filter_map(|(at, due)| Some((at?, due)));
        let Some((at, due)) = next.min_by_key(|(at, _)| *at) else {
            return std::future::pending().await;
        };
        tokio::time::sleep_until(at.into()).await;
        match due {
            Due::Frame => self.frame = None,
            Due::Settle => self.settle = None,
            Due::Hush => self.hush = None,
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_detail_follows_a_single_key_at_once_and_a_held_one_later() {
        let mut pace = Pace::default();
        assert!(pace.key(false));
        assert!(!pace.key(false), "right behind it");
        assert!(pace.settle.is_some());
        assert!(!pace.key(true) && pace.settle.is_none(), "nothing is left to follow");
    }

    #[test]
    fn frames_keep_apart_and_a_slow_line_takes_its_time() {
        let mut pace = Pace::default();
        assert!(pace.is_frame_due());
        pace.drawn(true, Duration::ZERO);
        assert!(!pace.is_frame_due() && pace.frame.is_some());
        pace.drawn(false, Duration::from_millis(40));
        assert_eq!(pace.rest(), Duration::from_millis(320));
        pace.drawn(true, Duration::ZERO);
        assert_eq!(pace.rest(), Duration::from_millis(160));
    }
}
