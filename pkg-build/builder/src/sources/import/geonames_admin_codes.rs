//! Reads GeoNames `admin1CodesASCII.txt` and `admin2Codes.txt`: code, name, name in ASCII, GeoNames id.

use super::ImportFile;
use super::row_reader::{Fault, each_line, fault, geoname, name};
use crate::error::BuildError;
use crate::sources::rows::Division;

/// Reads the divisions of a file with codes of `parts` parts, without those that mean "no division".
pub(crate) fn read(file: &ImportFile, parts: usize) -> Result<Vec<Division>, BuildError> {
    let mut divisions = Vec::new();
    each_line(file, |_, line| {
        divisions.extend(division(line, parts)?);
        Ok(())
    })?;
    Ok(divisions)
}

fn division(line: &str, parts: usize) -> Result<Option<Division>, Fault> {
    let columns: Vec<&str> = line.split('\t').collect();
    let &[code, text, _, id] = columns.as_slice() else {
        return Err(fault("", format!("has {} columns between tabs, not 4", columns.len())));
    };
    if code.split('.').count() != parts {
        return Err(fault("code", format!("must have {parts} parts, not {code:?}")));
    }
    let id = geoname("geonameid", id)?;
    if text.trim().is_empty() || code.split('.').nth(1) == Some("00") {
        return Ok(None);
    }
    Ok(Some(Division {
        code: code.to_owned(),
        name: name("name", text)?,
        id: Some(id),
        ranked: Vec::new(),
        tagged: Vec::new(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_codes() {
        check("AD.06\tSant Julià\tSant Julia\t3039162", 2, Ok(Some(("AD.06", "Sant Julià"))));
        check("AF.01.7052666\tKohistān\tKohistan\t7052666", 3, Ok(Some(("AF.01.7052666", "Kohistān"))));
        check("AD.00\tAndorra\tAndorra\t1", 2, Ok(None));
        check("AD.06\tSant Julià\tSant Julia\t3039162", 3, Err("code"));
        check("AD.06\tSant Julià\tSant Julia\tx", 2, Err("geonameid"));
        check("AD.06\tSant Julià", 2, Err(""));
        check("AD.06\t-\t-\t3039162", 2, Err("name"));
        check("AD.06\tSant Julià\tSant Julia\t0", 2, Err("geonameid"));
    }

    fn check(line: &str, parts: usize, expect: Result<Option<(&str, &str)>, &str>) {
        let found = division(line, parts);
        let found = found.as_ref().map(|d| d.as_ref().map(|d| (d.code.as_str(), d.name.as_str())));
        assert_eq!(found.map_err(|fault| fault.field.as_str()), expect, "{line:?}");
    }
}
