//! Reads `fields`: the facts that each answer has beside what the contract describes.

use toponym_engine::{Fact, FactSet};

use crate::error::Failure;

/// Reads the value of `fields`; without it, none are asked for.
pub fn read(fields: Option<String>) -> Result<FactSet, Failure> {
    fields.map_or(Ok(FactSet::default()), |list| list.parse().map_err(|_| Failure::bad_request(message())))
}

fn message() -> String {
    let names = Fact::ALL.map(Fact::name).join(", ");
    format!("fields must be all, or some of these separated by commas: {names}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_what_is_none() {
        let none = FactSet::default();
        assert_eq!(read(None), Ok(none));
        let check = |list: &str, expect: FactSet| assert_eq!(read(Some(list.to_owned())), Ok(expect), "{list}");
        check("all", FactSet::ALL);
        check("timezone", none.with(Fact::Timezone));
        check("population,iso_3166_2", none.with(Fact::Population).with(Fact::Iso31662));
        let expect = "fields must be all, or some of these separated by commas: name, matched, population, timezone, \
                      iso_3166_2, capital, codes, ancestors, distance";
        for wrong in ["", "population,", "Population", "time_zone", "all,name", " name"] {
            let message = read(Some(wrong.to_owned())).map_err(|failure| failure.message().into_owned());
            assert_eq!(message, Err(expect.to_owned()), "{wrong}");
        }
    }
}
