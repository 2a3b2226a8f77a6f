//! When to draw, and when the detail follows the list: as soon as a person can
//! tell, and no oftener than a slow line can carry.

use std::time::{Duration, Instant};

use crate::skill::text::Shown;

/// The pace of the screen.
///
/// A key after a pause is drawn at once, with the detail. Of keys that come
/// faster than frames are worth, some are drawn; while a key is held down only
/// the list is, and the detail once, when the key is let go. A line that takes
/// its time, which shows in how long a frame takes to be written, and one that
/// may be far away is given no more than it can carry.
#[derive(Debug)]
pub struct Pace {
    /// The last key.
    key: Option<Instant>,
    /// Between it and the one before, while a key is held down.
    repeat: Duration,
    /// When the detail is to follow.
    settle: Option<Instant>,
    /// The last frame that a key brought.
    drawn: Option<Instant>,
    /// When the frame that was put off is to be drawn.
    frame: Option<Instant>,
    /// How long frames take to be written.
    writing: Duration,
    /// Bytes that the line carries in a second.
    rate: f64,
    /// Bytes that may be written now, and when that was so.
    credit: (f64, Instant),
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
    /// Keys that come faster are one that is held down.
    const HELD: Duration = Duration::from_millis(60);
    /// The shortest and longest rest of the list.
    const SHORT: Duration = Duration::from_millis(24);
    const LONG: Duration = Duration::from_millis(400);
    /// To read a line in.
    const READ: Duration = Duration::from_secs(8);
    /// Bytes that may be ahead of the line: a few frames.
    const AHEAD: f64 = 8_000.0;
    /// What a line carries, in bytes a second: a terminal of this machine, and
    /// one far away of which nothing is known.
    const NEAR: f64 = 400_000.0;
    const FAR: f64 = 10_000.0;
    /// A frame that takes so long was held up by the line.
    const BLOCKED: Duration = Duration::from_millis(60);

    /// The pace for a terminal that is far away, or near.
    pub fn new(is_far: bool) -> Self {
        Self {
            key: None,
            repeat: Duration::ZERO,
            settle: None,
            drawn: None,
            frame: None,
            writing: Duration::ZERO,
            rate: if is_far { Self::FAR } else { Self::NEAR },
            credit: (Self::AHEAD, Instant::now()),
            toast: None,
            hush: None,
        }
    }

    fn rest(&self) -> Duration {
        (self.writing * 8).max(self.repeat * 3).clamp(Self::SHORT, Self::LONG)
    }

    /// Whether a key that comes now is one that is held down.
    pub fn is_rushed(&self) -> bool {
        self.key.is_some_and(|key| key.elapsed() < Self::HELD)
    }

    /// A key was taken, or several at once. Whether the detail is to follow at once.
    pub fn key(&mut self, is_settled: bool, are_several: bool) -> bool {
        let now = Instant::now();
        let gap = self.key.map(|key| now - key);
        let was_resting = !are_several && gap.is_none_or(|gap| gap >= self.rest());
        self.repeat = gap.filter(|gap| *gap < Self::HELD).unwrap_or_default();
        self.key = Some(now);
        self.settle = (!is_settled && !was_resting).then(|| now + self.rest());
        !is_settled && was_resting
    }

    /// Whether the frame that a key brings is to be drawn now; if not, it comes
    /// due a little later.
    pub fn is_frame_due(&mut self) -> bool {
        let now = Instant::now();
        let apart = self.drawn.map(|drawn| drawn + Self::FRAME);
        let debt = -self.credit_at(now);
        let paid = (debt > 0.0).then(|| now + Duration::from_secs_f64(debt / self.rate));
        self.frame = apart.max(paid).filter(|next| *next > now);
        self.frame.is_none()
    }

    fn credit_at(&self, now: Instant) -> f64 {
        let (credit, then) = self.credit;
        (credit + (now - then).as_secs_f64() * self.rate).min(Self::AHEAD)
    }

    /// A frame of so many bytes was drawn, for a key or not, in so long.
    pub fn drawn(&mut self, for_key: bool, bytes: usize, took: Duration) {
        let now = Instant::now();
        self.frame = None;
        self.credit = (self.credit_at(now) - bytes as f64, now);
        if for_key {
            self.drawn = Some(now);
        }
        if took > Self::BLOCKED {
            // The terminal was thought to be near, and is not.
            self.rate = Self::FAR;
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
        let mut pace = Pace::new(false);
        assert!(!pace.is_rushed() && pace.key(false, false));
        assert!(pace.is_rushed() && !pace.key(false, false), "right behind it");
        assert!(pace.settle.is_some());
        assert!(!Pace::new(false).key(false, true), "with others");
        assert!(!pace.key(true, false) && pace.settle.is_none(), "nothing is left to follow");
    }

    #[test]
    fn frames_keep_apart_and_a_slow_line_takes_its_time() {
        let mut pace = Pace::new(false);
        assert!(pace.is_frame_due());
        pace.drawn(true, 100, Duration::ZERO);
        assert!(!pace.is_frame_due() && pace.frame.is_some());
        pace.drawn(false, 100, Duration::from_millis(40));
        assert_eq!(pace.rest(), Duration::from_millis(320));
        pace.drawn(true, 100, Duration::ZERO);
        assert_eq!(pace.rest(), Duration::from_millis(160));
    }

    #[test]
    fn a_line_that_is_far_gets_no_more_than_it_carries() {
        for (is_far, waits) in [(true, true), (false, false)] {
            let mut pace = Pace::new(is_far);
            pace.drawn(false, 20_000, Duration::ZERO);
            let now = Instant::now();
            let _ = pace.is_frame_due();
            let wait = pace.frame.map_or(Duration::ZERO, |at| at - now);
            assert_eq!(wait > Duration::from_millis(500), waits, "{wait:?}");
        }
    }
}
