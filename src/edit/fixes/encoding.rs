//! Fixes of how a text is written as bytes.

const MARK: &[u8] = b"\xef\xbb\xbf";

/// What Windows-1252 has for the bytes 0x80 to 0x9F; NUL where it has nothing.
const WINDOWS: [char; 32] = [
    '€', '\0', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\0', 'Ž', '\0', '\0', '‘',
    '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\0', 'ž', 'Ÿ',
];

/// The file without the byte-order marks it begins with.
pub(super) fn drop_bom(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut rest = bytes;
    while let Some(behind) = rest.strip_prefix(MARK) {
        rest = behind;
    }
    (rest.len() < bytes.len()).then(|| rest.to_owned())
}

/// The file as UTF-8: from UTF-16, or with the bytes that are not UTF-8 taken
/// as Windows-1252, of which Latin-1 is a part. `None` when a byte means
/// nothing, so that nothing is lost.
pub(super) fn transcode(bytes: &[u8]) -> Option<Vec<u8>> {
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes)?,
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes)?,
        _ => {
            // Text of our letters has a zero in every pair, always on one side.
            let zeros = |side: usize| {
                bytes.iter().take(200).skip(side).step_by(2).filter(|b| **b == 0).count()
            };
            match (zeros(0), zeros(1)) {
                (even, odd) if odd > 20 && even == 0 => utf16(bytes, u16::from_le_bytes)?,
                (even, odd) if even > 20 && odd == 0 => utf16(bytes, u16::from_be_bytes)?,
                _ => windows(bytes)?,
            }
        }
    };
    let new = text.trim_start_matches('\u{feff}').as_bytes();
    (new != bytes).then(|| new.to_owned())
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let text: Result<String, _> =
        char::decode_utf16(pairs.iter().map(|pair| unit(*pair))).collect();
    text.ok().filter(|text| rest.is_empty() && !text.contains('\0'))
}

fn windows(bytes: &[u8]) -> Option<String> {
    if std::str::from_utf8(bytes).is_ok() {
        return None;
    }
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push(match byte {
                0x80..=0x9f => match WINDOWS[usize::from(byte - 0x80)] {
                    '\0' => return None,
                    c => c,
                },
                byte => char::from(*byte),
            });
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_becomes_utf_8_or_stays() {
        let text = "---\r\ndescription: naïve – “审” 👩\r\n---\r\n\r\nBody of the file.\r\n";
        let units = |order: fn(u16) -> [u8; 2]| -> Vec<u8> {
            text.encode_utf16().flat_map(order).collect()
        };
        let (le, be) = (units(u16::to_le_bytes), units(u16::to_be_bytes));
        for bytes in [
            [b"\xff\xfe".as_slice(), &le].concat(),
            [b"\xfe\xff".as_slice(), &be].concat(),
            le.clone(),
            be,
        ] {
            let new = transcode(&bytes).expect("transcoded");
            assert_eq!(String::from_utf8(new).unwrap(), text);
        }
        for (bytes, want) in [
            (b"d: na\xefve \x96 \x93x\x94\n".as_slice(), Some("d: naïve – “x”\n")),
            ("审 caf".as_bytes(), None),
            (b"\xe5\xae\xa1 caf\xe9\n", Some("审 café\n")),
            (b"a\x81b", None),
            (b"\xff\xfea", None),
            (b"\xff\xfe\x00\xd8a\x00", None),
            (b"\xff\xfea\x00\x00\x00", None),
            (b"", None),
        ] {
            let new = transcode(bytes).map(|new| String::from_utf8(new).unwrap());
            assert_eq!(new.as_deref(), want, "{bytes:?}");
        }
    }

    #[test]
    fn every_mark_at_the_start_goes() {
        assert_eq!(drop_bom(b"\xef\xbb\xbf\xef\xbb\xbfx").as_deref(), Some(b"x".as_slice()));
        assert_eq!(drop_bom(b"x\xef\xbb\xbf"), None);
    }
}
