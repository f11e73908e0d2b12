//! The options that are parameters of the engine: those of its table, so that each is defined there alone.

use anyhow::{Result, anyhow};
use clap::error::Error;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use toponym_engine::request::{FIELDS, Operation, Parameter, Style, Takes, Value, Values};

/// Kinds of [`Flags`]: those of an operation, and what forward and reverse share for a table of questions.
pub const FORWARD: usize = 0;
pub const AUTOCOMPLETE: usize = 1;
pub const REVERSE: usize = 2;
pub const SHARED: usize = 3;

/// The options that are set, of all that `OF` has.
#[derive(Clone, Debug, Default)]
pub struct Flags<const OF: usize>(Vec<(&'static Parameter, String)>);

/// Iterates over the parameters that are options: those that say more than what to find.
fn parameters(of: usize) -> impl Iterator<Item = &'static Parameter> {
    let operation = [Operation::Forward, Operation::Autocomplete, Operation::Reverse, Operation::Reverse][of];
    let is_of_one_question = move |name: &str| of == SHARED && ["limit", "radius"].contains(&name);
    operation.parameters(Style::Text).filter(move |one| !one.about().is_empty() && !is_of_one_question(one.name))
}

impl<const OF: usize> Flags<OF> {
    /// Returns the values of the options, without what to find.
    pub fn values(&self) -> Values {
        let mut values = Values::new(Style::Text);
        self.0.iter().for_each(|(parameter, text)| values.put(parameter, Value::Text(text.clone())));
        values
    }

    /// Iterates over the fields of a structured question that are set.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter(|(parameter, _)| FIELDS.contains(&parameter.name)).map(|(_, text)| text.as_str())
    }
}

impl<const OF: usize> Args for Flags<OF> {
    fn augment_args(command: Command) -> Command {
        parameters(OF).fold(command, |command, parameter| command.arg(argument(parameter)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

fn argument(parameter: &Parameter) -> Arg {
    let argument = Arg::new(parameter.name).long(parameter.name).help(parameter.about());
    let argument = argument.allow_hyphen_values(matches!(parameter.takes, Takes::Numbers(_)));
    let name = parameter.name.to_uppercase();
    let argument = argument.value_name(name);
    if FIELDS.contains(&parameter.name) { argument.conflicts_with("query") } else { argument }
}

impl<const OF: usize> FromArgMatches for Flags<OF> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        Ok(Self(
            parameters(OF)
                .filter_map(|parameter| Some((parameter, matches.get_one::<String>(parameter.name)?.clone())))
                .collect(),
        ))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Adds the text of a parameter of an operation: what to find.
pub fn put(values: &mut Values, operation: Operation, name: &str, text: &str) {
    values.put_named(operation, name, Value::Text(text.to_owned()));
}

/// Adds near which point a text is looked for, of `--focus`: latitude,longitude.
pub fn put_focus(values: &mut Values, operation: Operation, focus: Option<&str>) -> Result<()> {
    if let Some(focus) = focus {
        let (lat, lon) = split_point(focus).ok_or_else(|| anyhow!("--focus is latitude,longitude, not {focus}"))?;
        put(values, operation, "lat", lat);
        put(values, operation, "lon", lon);
    }
    Ok(())
}

/// Splits `48.85,2.35` into latitude and longitude, not checked yet.
pub fn split_point(text: &str) -> Option<(&str, &str)> {
    let (lat, lon) = text.split_once(',').or_else(|| text.split_once(char::is_whitespace))?;
    Some((lat.trim(), lon.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points() {
        check("48.8,-2.3", Some(("48.8", "-2.3")));
        check("48.8, 2.3", Some(("48.8", "2.3")));
        check("48.8 2.3", Some(("48.8", "2.3")));
        check("48.8", None);
    }

    fn check(text: &str, expect: Option<(&str, &str)>) {
        assert_eq!(split_point(text), expect, "{text}");
    }
}
