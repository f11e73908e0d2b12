//! Transliteration to Latin, for names that the data lacks in the script of the query.

use bytes::Bytes;

use crate::index::format::{Column, EncodedSection, OpenError, Section, Sections, Texts, encode, text_at};

/// A table from characters to Latin spellings.
#[derive(Debug)]
pub(crate) struct Transliteration {
    chars: Column<u32>,
    offsets: Column<u32>,
    text: Bytes,
}

impl Transliteration {
    pub fn open(sections: &Sections) -> Result<Self, OpenError> {
        let table = Self {
            chars: Column::new(sections.get(Section::TransliterationChars)),
            offsets: Column::new(sections.get(Section::TransliterationOffsets)),
            text: sections.get(Section::TransliterationText),
        };
        let lengths_agree = table.chars.len() == table.offsets.len();
        if lengths_agree { Ok(table) } else { Err(OpenError::Malformed("transliteration")) }
    }

    /// Transliterates `text` to Latin; `None` if the table has none of its characters.
    pub fn latin(&self, text: &str) -> Option<String> {
        let mut latin = String::with_capacity(2 * text.len());
        let mut changed = false;
        for c in text.chars().flat_map(hangul_letters) {
            match self.of(c) {
                Some(spelled) => {
                    changed = true;
                    latin.push_str(spelled);
                }
                None => latin.push(c),
            }
        }
        changed.then_some(latin)
    }

    fn of(&self, c: char) -> Option<&str> {
        let c = u32::from(c);
        let at = self.chars.partition_point(|other| other < c);
        if self.chars.len() as u32 <= at || self.chars.get(at) != c {
            return None;
        }
        text_at(&self.text, self.offsets.get(at))
    }
}

/// Decomposes a Hangul syllable (Unicode 3.12) into its letters; returns any other character unchanged.
fn hangul_letters(c: char) -> impl Iterator<Item = char> {
    const FIRST: u32 = 0xac00;
    const VOWELS: u32 = 21;
    const FINALS: u32 = 28;
    let syllable = u32::from(c).wrapping_sub(FIRST);
    let letters = if syllable < 19 * VOWELS * FINALS {
        let last = syllable % FINALS;
        let leading = char::from_u32(0x1100 + syllable / FINALS / VOWELS);
        let vowel = char::from_u32(0x1161 + syllable / FINALS % VOWELS);
        [leading, vowel, if last == 0 { None } else { char::from_u32(0x11a7 + last) }]
    } else {
        [Some(c), None, None]
    };
    letters.into_iter().flatten()
}

/// Encodes the sections of a transliteration. `spellings` are sorted by character and at most 255 bytes long.
pub(crate) fn encode_transliteration(spellings: &[(char, String)]) -> [EncodedSection; 3] {
    let mut texts = Texts::default();
    let offsets = encode(spellings.iter().map(|(_, latin)| texts.offset(latin)).collect::<Vec<u32>>());
    [
        (Section::TransliterationChars, encode(spellings.iter().map(|(c, _)| u32::from(*c)))),
        (Section::TransliterationOffsets, offsets),
        (Section::TransliterationText, texts.into_bytes()),
    ]
}
