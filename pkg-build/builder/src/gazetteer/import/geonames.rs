//! Places of GeoNames tables and the names that `alternateNamesV2` adds to them.

use std::collections::HashMap;

use super::super::inputs::Inputs;
use super::settlements::add_settlements;
use crate::error::BuildError;
use crate::progress::{self, Step};
use crate::sources::airportsdata::code;
use crate::sources::import::ImportFile;
use crate::sources::import::geonames_alternate_names::{self, Alternate};
use crate::sources::import::geonames_table::{Reader, Row, TopSettlements, id_of};
use crate::sources::import::languages::Languages;
use crate::sources::rows::{Airport, Division, Site};

/// Places of GeoNames tables other than settlements.
#[derive(Default)]
pub(super) struct GeoNamesPlaces {
    pub states: Vec<Division>,
    pub counties: Vec<Division>,
    pub airports: Vec<Airport>,
    pub sites: Vec<Site>,
}

impl GeoNamesPlaces {
    pub fn read_table(
        &mut self,
        reader: &mut Reader,
        file: &ImportFile,
        settlements: &mut TopSettlements,
    ) -> Result<(), BuildError> {
        reader.read(file, |_, row| match row {
            Row::Settlement(settlement) => settlements.push(settlement),
            Row::State(division) => self.states.push(division),
            Row::County(division) => self.counties.push(division),
            Row::Airport(airport) => self.airports.push(airport),
            Row::Site(site) => self.sites.push(site),
        })?;
        Ok(())
    }

    pub fn keep_settlements(&self, inputs: &mut Inputs, settlements: TopSettlements) {
        let seen = settlements.seen;
        let kept = settlements.finish();
        if seen > kept.len() {
            let kept_len = kept.len();
            progress::say(&format!(
                "  kept the {kept_len} most important of {seen} populated places: --places keeps more"
            ));
        }
        add_settlements(&mut inputs.settlements, kept);
    }
}

/// The index of a place with a GeoNames id.
#[derive(Clone, Copy)]
enum Target {
    Settlement(u32),
    State(u32),
    County(u32),
    Airport(u32),
    Site(u32),
}

pub(super) fn add_alternate_names(
    inputs: &mut Inputs,
    geonames: &mut GeoNamesPlaces,
    file: &ImportFile,
    languages: &Languages,
) -> Result<(), BuildError> {
    let step = Step::open("ids of GeoNames");
    let targets = targets(inputs, geonames);
    step.finish(targets.len());
    geonames_alternate_names::read(
        file,
        |id| targets.contains_key(&id),
        languages,
        |id, alternate| match (targets[&id], alternate) {
            (Target::Airport(index), alternate) => name_airport(&mut geonames.airports[index as usize], alternate),
            (Target::Settlement(index), Alternate::Ranked(name)) => {
                inputs.settlements[index as usize].ranked.push(name)
            }
            (Target::Settlement(index), Alternate::Untagged(name)) => {
                let alternates = &mut inputs.settlements[index as usize].alternates;
                if !alternates.contains(&name) {
                    alternates.push(name);
                }
            }
            (Target::State(index), Alternate::Ranked(name)) => inputs.states[index as usize].ranked.push(name),
            (Target::County(index), Alternate::Ranked(name)) => inputs.counties[index as usize].ranked.push(name),
            (Target::Site(index), Alternate::Ranked(name)) => geonames.sites[index as usize].tagged.push(name.name),
            // Ignored: codes of places other than airports, and untagged names of places that need a language.
            _ => {}
        },
    )?;
    Ok(())
}

fn name_airport(airport: &mut Airport, alternate: Alternate) {
    match alternate {
        Alternate::Iata(text) => airport.iata = code(&text, 3).or(airport.iata.take()),
        Alternate::Icao(text) => airport.icao = code(&text, 4).or(airport.icao.take()),
        Alternate::Ranked(name) => airport.alternates.push(name.name.text),
        Alternate::Untagged(name) => airport.alternates.push(name),
    }
}

fn targets(inputs: &Inputs, geonames: &GeoNamesPlaces) -> HashMap<u64, Target> {
    let settlements = (0..).zip(&inputs.settlements).map(|(index, place)| (place.id, Target::Settlement(index)));
    let states = (0..).zip(&inputs.states).filter_map(|(index, state)| Some((state.id?, Target::State(index))));
    let counties = (0..).zip(&inputs.counties).filter_map(|(index, county)| Some((county.id?, Target::County(index))));
    let airports =
        (0..).zip(&geonames.airports).filter_map(|(index, a)| Some((id_of(&a.ident)?, Target::Airport(index))));
    let sites = (0..).zip(&geonames.sites).filter_map(|(index, s)| Some((id_of(&s.slug)?, Target::Site(index))));
    settlements.chain(states).chain(counties).chain(airports).chain(sites).collect()
}

#[cfg(test)]
mod tests {

    use super::super::areas::test_division;
    use super::super::sites::test_site;
    use super::*;
    use crate::gazetteer::{test_airport, test_settlement};
    use crate::sources::rows::{RankedName, Tagged};

    /// Names for a place of each kind, by its id of GeoNames.
    #[test]
    fn names_find_their_place_by_its_id() {
        let mut inputs = Inputs {
            settlements: vec![test_settlement(1, "Ville", (48.0, 2.0), 0), test_settlement(2, "Bourg", (48.0, 3.0), 0)],
            states: vec![test_division("FR.11", "State", 3, &[])],
            counties: vec![test_division("FR.11.75", "County", 4, &[])],
            ..Inputs::default()
        };
        let airport = Airport { iata: Some("OLD".into()), ..test_airport("geonames-5", "Field", (48.0, 2.0)) };
        let mut field = GeoNamesPlaces {
            airports: vec![airport],
            sites: vec![test_site("geonames-6", "tower")],
            ..GeoNamesPlaces::default()
        };
        let rows = [
            "1\tde\tStadt",
            "2\tde\tFleck",
            "2\t\tBourgade",
            "2\t\tBourgade",
            "2\tiata\tXYZ",
            "3\tde\tLand",
            "3\t\tUntold",
            "4\tde\tKreis",
            "5\tde\tPlatz",
            "5\t\tAerodrome",
            "5\tiata\tABC",
            "5\ticao\tLFAB",
            "5\ticao\ttoo long",
            "6\tde\tTurm",
            "7\tde\tNiemand",
        ];
        let text: String = rows.iter().map(|row| format!("1\t{row}\t\t\t\t\t\t\n")).collect();
        add_alternate_names(
            &mut inputs,
            &mut field,
            &ImportFile::InMemory("names.txt".into(), text.into()),
            &Languages::default(),
        )
        .expect("the rows are whole");
        let names =
            |ranked: &[RankedName]| ranked.iter().map(|ranked| ranked.name.text.as_str()).collect::<Vec<_>>().join(" ");
        let [first, second] = &inputs.settlements[..] else { panic!("none is added") };
        assert_eq!((names(&first.ranked), names(&second.ranked)), ("Stadt".to_owned(), "Fleck".to_owned()));
        assert_eq!((first.alternates.len(), second.alternates.as_slice()), (0, &["Bourgade".to_owned()][..]));
        assert_eq!(
            (names(&inputs.states[0].ranked), names(&inputs.counties[0].ranked)),
            ("Land".into(), "Kreis".into())
        );
        let airport = &field.airports[0];
        assert_eq!((airport.iata.as_deref(), airport.icao.as_deref()), (Some("ABC"), Some("LFAB")));
        assert_eq!(airport.alternates, ["Platz", "Aerodrome"]);
        assert_eq!(field.sites[0].tagged, [Tagged { lang: "de".into(), text: "Turm".into() }]);
    }
}
