//! A `tracing` event for each activation. Alone in its program, since other threads
//! decide with who listens whether an event is made at all.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on has failed

mod support;

use std::sync::{Arc, Mutex};

use skilldeck::harness::Library;
use skilldeck::project::{Project, View};
use skilldeck::prompt::arguments::Arguments;
use support::{Fixture, with_head};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

#[test]
fn an_event_tells_of_each_activation() {
    #[derive(Default, Clone)]
    struct Heard(Arc<Mutex<Vec<String>>>);
    struct Fields<'a>(&'a mut String);
    impl Visit for Fields<'_> {
        fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
            self.0.push_str(&format!(" {}={value:?}", field.name()));
        }
    }
    impl Subscriber for Heard {
        fn enabled(&self, metadata: &Metadata<'_>) -> bool {
            metadata.target() == "skilldeck::activation"
        }
        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }
        fn record(&self, _: &Id, _: &Record<'_>) {}
        fn record_follows_from(&self, _: &Id, _: &Id) {}
        fn event(&self, event: &Event<'_>) {
            let mut text = String::new();
            event.record(&mut Fields(&mut text));
            self.0.lock().unwrap().push(text);
        }
        fn enter(&self, _: &Id) {}
        fn exit(&self, _: &Id) {}
    }

    let project = Fixture::new();
    project.skill("ask", with_head("name: ask\ndescription: Asks."));
    let mut library =
        Library::open(Project::open(&project.project()).unwrap(), View::default()).unwrap();
    let heard = Heard::default();
    tracing::subscriber::with_default(heard.clone(), || {
        library.activate("ask", Arguments::Given("secret")).unwrap();
        library.activate("gone", Arguments::NotGiven).unwrap_err();
    });
    let heard = heard.0.lock().unwrap();
    assert_eq!(heard.len(), 2, "{heard:?}");
    assert!(heard[0].contains("skill=\"ask\"") && heard[0].contains("outcome=\"OK\""), "{heard:?}");
    assert!(heard[1].contains("outcome=\"NOT_FOUND\""), "{heard:?}");
    assert!(!heard[0].contains("secret"), "{heard:?}");
}
