//! The languages of the names in an operator's files: an index can tell only so many apart.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::row_reader::{Fault, fault};

/// Most languages of all files. There are some 8,000 (ISO 639), and the index numbers at most 65,535: more of them are
/// other texts in the wrong place.
const MOST: usize = 20_000;

/// The languages seen so far, in all files.
#[derive(Default)]
pub(crate) struct Languages(RefCell<BTreeSet<String>>);

impl Languages {
    /// Takes the language of a name in `field`. An error if it is one too many.
    pub fn take(&self, field: &str, tag: &str) -> Result<(), Fault> {
        let mut seen = self.0.borrow_mut();
        if seen.contains(tag) {
            return Ok(());
        }
        if seen.len() == MOST {
            let message = format!("{tag:?} is one language more than {MOST}: write languages as in fr:Nom, zh-Hant:名");
            return Err(fault(field, message));
        }
        seen.insert(tag.to_owned());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_language_too_many() {
        let languages = Languages::default();
        (0..MOST).for_each(|n| languages.take("names", &format!("xx-{n}")).expect("there is room"));
        languages.take("names", "xx-7").expect("it is known");
        let fault = languages.take("names", "de").expect_err("it is one too many");
        assert_eq!((fault.field.as_str(), fault.message.contains("\"de\" is one language more")), ("names", true));
    }
}
