//! Where a new field goes, and what a removed one takes with it.

use std::ops::Range;

use super::FieldValue;
use super::check::alias_into;
use super::outline::{Layout, Map, Outline, Site, line_end, line_start, next_line};
use super::scalar::{self, Context};
use super::write::{Edit, Spot, Written, ways};

/// The ways to add a field: `name` before all others, `description` behind it,
/// every other behind the last.
pub(super) fn adding(
    head: &str,
    outline: &Outline,
    field: &str,
    value: &FieldValue,
    end: &str,
) -> Vec<Edit> {
    let spot = Spot::new(outline, end);
    let behind = match field {
        "name" => None,
        "description" => outline.find("name"),
        _ => outline.sites.last(),
    };
    match outline.layout {
        Layout::Lines { indent } => {
            let at = match behind {
                Some(site) => vec![below(head, site), head.len()],
                None if matches!(field, "name" | "description") => {
                    vec![0, first_line(head, outline)]
                }
                None => vec![head.len(), first_line(head, outline)],
            };
            let margin = " ".repeat(indent);
            let key = scalar::plain(field, Context::Line);
            let key = key.unwrap_or_else(|| scalar::double(field));
            let lines: Vec<_> = ways(value, &spot, "")
                .into_iter()
                .map(|written| match written {
                    Written::Inline(value) => format!("{margin}{key}: {value}{end}"),
                    Written::Block(header, lines) => {
                        format!("{margin}{key}: {header}{end}{lines}{end}")
                    }
                })
                .collect();
            at.into_iter()
                .flat_map(|at| {
                    lines.iter().map(move |new| Edit { range: at..at, new: new.clone() })
                })
                .collect()
        }
        Layout::Braces { open, close } => {
            let as_json =
                outline.sites.first().is_some_and(|s| head[s.key_at.clone()].starts_with('"'));
            let key = scalar::plain(field, Context::Flow).filter(|_| !as_json);
            let key = key.unwrap_or_else(|| scalar::double(field));
            let old = if as_json { "\"" } else { "" };
            let values = match value {
                FieldValue::Text(text) if as_json => {
                    vec![Written::Inline(scalar::double(text))]
                }
                value => ways(value, &spot, old),
            };
            let entries = values.into_iter().filter_map(|written| match written {
                Written::Inline(value) => Some(format!("{key}: {value}")),
                Written::Block(..) => None,
            });
            let between = |site: &Site| {
                let margin = &head[line_start(head, site.key_at.start)..site.key_at.start];
                let alone = margin.bytes().all(|b| matches!(b, b' ' | b'\t'));
                if alone && site.key_at.start > open && line_start(head, site.key_at.start) > open {
                    format!(",{end}{margin}")
                } else {
                    ", ".to_owned()
                }
            };
            entries
                .map(|entry| match (behind, outline.sites.first()) {
                    (Some(site), _) => {
                        let at = site.value.end;
                        Edit { range: at..at, new: format!("{}{entry}", between(site)) }
                    }
                    (None, Some(first)) => {
                        let at = first.key_at.start;
                        Edit { range: at..at, new: format!("{entry}{}", between(first)) }
                    }
                    (None, None) => Edit { range: open..close, new: entry },
                })
                .collect()
        }
    }
}

/// The line of the first field; the end without one.
fn first_line(head: &str, outline: &Outline) -> usize {
    outline.sites.first().map_or(head.len(), |site| line_start(head, site.key_at.start))
}

/// Behind the last line of a field.
fn below(head: &str, site: &Site) -> usize {
    next_line(head, site.value.end.max(site.key_at.end))
}

/// The ways to remove every entry of a field: its own lines, and if what
/// follows would then belong to the field before, the comments and blank lines
/// up to the next field too.
pub(super) fn removing(head: &str, outline: &Outline, field: &str) -> Vec<Edit> {
    match outline.layout {
        Layout::Lines { .. } => [lines_of as fn(&str, &[Site], usize) -> Range<usize>, all_of]
            .into_iter()
            .filter_map(|lines| {
                let of_field =
                    |i: &usize| outline.sites.get(*i).is_some_and(|site| site.key == field);
                let ranges: Vec<_> = (0..outline.sites.len())
                    .filter(of_field)
                    .map(|i| lines(head, &outline.sites, i))
                    .collect();
                without(head, &ranges)
            })
            .collect(),
        Layout::Braces { open, close } => {
            // Of neighbours that stay, each keeps one comma to the next.
            let sites = &outline.sites;
            let mut ranges: Vec<Range<usize>> = Vec::new();
            let mut kept = None;
            for (i, site) in sites.iter().enumerate() {
                if site.key != field {
                    kept = Some(i);
                    continue;
                }
                let start =
                    kept.map_or(open, |k: usize| sites[k].value.end.max(sites[k].key_at.end));
                let next = sites[i + 1..].iter().find(|next| next.key != field);
                ranges.push(match (kept, next) {
                    (_, Some(next)) => site.key_at.start..next.key_at.start,
                    (Some(_), None) => start..site.value.end.max(site.key_at.end),
                    (None, None) => open..close,
                });
            }
            ranges.dedup_by(|b, a| {
                let overlaps = b.start < a.end;
                if overlaps {
                    a.end = a.end.max(b.end);
                }
                overlaps
            });
            without(head, &ranges).into_iter().collect()
        }
    }
}

/// Removes one entry that another of the same map follows; `None` when an
/// alias elsewhere needs it.
pub(in crate::edit) fn removing_one(
    head: &str,
    outline: &Outline,
    map: &Map,
    i: usize,
) -> Option<Edit> {
    let (site, next) = (&map.sites[i], map.sites.get(i + 1)?);
    let own = site.key_at.start..site.value.end.max(site.key_at.end);
    if alias_into(outline, &own).is_some() {
        return None;
    }
    let margin = &head[line_start(head, own.start)..own.start];
    let is_alone = margin.bytes().all(|b| matches!(b, b' ' | b'\t'));
    let range = match map.layout {
        Layout::Lines { .. } if is_alone => lines_of(head, &map.sites, i),
        // Behind `- `, or between braces: the next takes its place.
        _ => own.start..next.key_at.start,
    };
    Some(Edit { range, new: String::new() })
}

/// The lines of an entry, with comments below that are indented like its value.
fn lines_of(head: &str, sites: &[Site], i: usize) -> Range<usize> {
    let site = &sites[i];
    let start = line_start(head, site.key_at.start);
    let indent = site.key_at.start - start;
    let end = below(head, site);
    let mut own = end;
    let mut at = end;
    while at < head.len() {
        let line = &head[at..line_end(head, at)];
        let margin = line.len() - line.trim_start_matches([' ', '\t']).len();
        at = next_line(head, at);
        if line.trim().is_empty() {
            continue;
        }
        if margin <= indent || !line.trim_start().starts_with('#') {
            break;
        }
        own = at;
    }
    start..own
}

/// The lines of an entry and all below up to the next.
fn all_of(head: &str, sites: &[Site], i: usize) -> Range<usize> {
    let lines = lines_of(head, sites, i);
    let next = sites.get(i + 1).map(|next| line_start(head, next.key_at.start));
    lines.start..next.unwrap_or(head.len()).max(lines.end)
}

/// One change that leaves several ranges out.
fn without(head: &str, ranges: &[Range<usize>]) -> Option<Edit> {
    let (first, last) = (ranges.first()?, ranges.last()?);
    let between = ranges.windows(2).map(|pair| head.get(pair[0].end..pair[1].start));
    let new = between.collect::<Option<Vec<_>>>()?.concat();
    Some(Edit { range: first.start..last.end, new })
}
