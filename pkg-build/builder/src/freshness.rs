//! Decides whether an index in place is up to date, by its receipt.

use std::path::{Path, PathBuf};

use toponym_engine::Engine;
use toponym_engine::index::OpenError;

use crate::error::BuildError;
use crate::paged::PLAIN_ROOT;
use crate::receipt::{BUILDER, Inputs, Receipt, Recipe, inputs};

/// State of an index compared with what a build would make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// Index that equals what a build would make.
    Fresh,
    /// Index that was not made here, or not by this builder's rules: nobody knows of what, so it is kept.
    Unknown,
    /// Index that has to be built.
    Stale {
        /// Arguments of the next build, which are those of the last one.
        recipe: Recipe,
        /// Reason, as part of a sentence, such as "data/sources.toml has changed".
        reason: String,
    },
}

/// Checks whether the index at `path` is up to date with the project at `root`. Without a receipt it is to be built by
/// `default`.
///
/// # Errors
/// When a file cannot be read, or an import of an index that has to be rebuilt is gone.
pub fn freshness(root: &Path, path: &Path, default: Recipe) -> Result<Freshness, BuildError> {
    let receipt = Receipt::beside(path);
    let stale = |receipt: Option<&Receipt>, reason: String| {
        let recipe = receipt.map_or_else(|| default.clone(), |receipt| receipt.recipe.clone());
        match recipe.add.iter().find(|file| !file.exists()) {
            Some(gone) => Err(BuildError::LostImport { path: gone.clone(), index: path.to_owned(), reason }),
            None => Ok(Freshness::Stale { recipe, reason }),
        }
    };
    if !path.is_file() {
        return stale(receipt.as_ref(), format!("there is no {}", path.display()));
    }
    let bytes = std::fs::read(path).map_err(BuildError::io(path))?;
    match receipt.as_ref().filter(|receipt| receipt.is_of(&bytes)) {
        Some(receipt) => match difference(&receipt.inputs, &present(root, &receipt.recipe)?, &receipt.recipe.add) {
            Some(reason) => stale(Some(receipt), reason),
            None => Ok(Freshness::Fresh),
        },
        None => match Engine::open(bytes) {
            Ok(_) | Err(OpenError::InPages) => Ok(Freshness::Unknown),
            Err(error) => stale(receipt.as_ref(), format!("{}: {error}", path.display())),
        },
    }
}

/// Decides whether the pages in `folder` are up to date. They are rebuilt with the arguments of their own last build. If there are none,
/// they get those of the index at `path`, so that places added to it are in the pages, too.
///
/// # Errors
/// Those of [`freshness`], and when the index was built with arguments that the pages were not built with: one of the two is not
/// what the operator wants, and only the operator knows which.
pub fn freshness_of_pages(root: &Path, folder: &Path, path: &Path, default: Recipe) -> Result<Freshness, BuildError> {
    let plain_root = folder.join(PLAIN_ROOT);
    let of_index = Receipt::beside(path).map_or_else(|| default.clone(), |receipt| receipt.recipe);
    let Some(of_pages) = Receipt::beside(&plain_root) else {
        return freshness(root, &plain_root, of_index);
    };
    // A task that needs an index builds the default one: that says nothing about the pages.
    let has_arguments = of_index != default;
    if has_arguments && of_index != of_pages.recipe {
        return Err(BuildError::OtherPlaces {
            pages: folder.to_owned(),
            of_pages: describe_recipe(&of_pages.recipe),
            index: path.to_owned(),
            of_index: of_index.to_string(),
        });
    }
    freshness(root, &plain_root, of_pages.recipe)
}

/// Describes the arguments of a build in a message.
fn describe_recipe(recipe: &Recipe) -> String {
    match recipe.to_string() {
        arguments if arguments.is_empty() => "no arguments".to_owned(),
        arguments => format!("`{arguments}`"),
    }
}

/// Returns the inputs by `recipe`, without imports that are gone.
fn present(root: &Path, recipe: &Recipe) -> Result<Inputs, BuildError> {
    let add = recipe.add.iter().filter(|path| path.exists()).cloned().collect();
    inputs(root, &Recipe { add, ..recipe.clone() })
}

/// Describes what differs between the inputs of an index and those of today. Imports that are gone do not: the index
/// holds what they held.
fn difference(then: &Inputs, now: &Inputs, imports: &[PathBuf]) -> Option<String> {
    let is_import = |name: &str| imports.iter().any(|path| path.to_string_lossy() == name);
    let changed = now.iter().filter_map(|(name, digest)| match then.get(name) {
        Some(known) if known == digest => None,
        Some(_) => Some(format!("{name} has changed")),
        None => Some(format!("{name} is new")),
    });
    let gone = then.keys().filter(|name| !now.contains_key(*name) && !is_import(name));
    let mut all: Vec<String> = changed.chain(gone.map(|name| format!("{name} is gone"))).collect();
    // Files say more than code that changed with them.
    all.sort_by_key(|line| line.starts_with(BUILDER));
    let others = all.len().saturating_sub(1);
    let first = all.into_iter().next()?;
    Some(if others == 0 { first } else { format!("{first}, and {others} more") })
}

#[cfg(test)]
mod tests {
    use toponym_engine::{About, Gazetteer};

    use super::*;
    use crate::gazetteer_for_tests::france;
    use crate::receipt::Extent;

    /// A project with one table and an import, and an index.
    struct Project(tempfile::TempDir);

    impl Project {
        fn new() -> Self {
            let project = Self(tempfile::tempdir().expect("a temporary folder can be created"));
            project.write("data/sources.toml", "");
            project.write("data/tables/words.csv", "a");
            project.write("data/curated/landmarks/europe.csv", "a");
            project.write("my.csv", "a");
            project
        }

        fn write(&self, path: &str, text: impl AsRef<[u8]>) {
            let path = self.at(path);
            std::fs::create_dir_all(path.parent().expect("it has one")).expect("the folder is ours");
            std::fs::write(path, text).expect("the folder is ours");
        }

        fn at(&self, path: &str) -> PathBuf {
            self.0.path().join(path)
        }

        fn recipe(&self) -> Recipe {
            Recipe { add: vec![self.at("my.csv")], ..Recipe::default() }
        }

        /// Puts an index in place, as a build would.
        fn build(&self) {
            self.build_by(self.recipe(), "index.toponym");
        }

        /// Puts an index or a root at a path, as a build by `recipe` would.
        fn build_by(&self, recipe: Recipe, path: &str) {
            let bytes = index("built");
            let inputs = inputs(self.0.path(), &recipe).expect("the files are there");
            let receipt = Receipt::new(recipe, inputs, &bytes);
            self.write(path, bytes);
            self.write(&format!("{path}.json"), serde_json::to_vec(&receipt).expect("it can be written"));
        }

        fn freshness(&self) -> Result<Freshness, BuildError> {
            let default = Recipe { extent: Extent::Core, ..Recipe::default() };
            freshness(self.0.path(), &self.at("index.toponym"), default)
        }
    }

    /// Writes an index of one place.
    fn index(title: &str) -> Vec<u8> {
        let about = About { title: title.into(), ..About::default() };
        let gazetteer = Gazetteer { about, ..france() };
        toponym_engine::index::write(&gazetteer).expect("the gazetteer is valid")
    }

    /// Builds, changes something, and compares: `fresh`, `unknown`, or the arguments and the reason.
    fn check(change: impl FnOnce(&Project), expect: &str) {
        let project = Project::new();
        project.build();
        change(&project);
        let found = match project.freshness() {
            Ok(Freshness::Fresh) => "fresh".to_owned(),
            Ok(Freshness::Unknown) => "unknown".to_owned(),
            Ok(Freshness::Stale { recipe, reason }) => format!("[{recipe}] {reason}"),
            Err(error) => format!("error: {error}"),
        };
        let root = project.0.path().to_string_lossy().into_owned();
        assert!(found.replace(&*root, "").contains(expect), "{found}, not {expect}");
    }

    #[test]
    fn an_index_is_fresh_until_inputs_change() {
        check(|_| {}, "fresh");
        check(|project| project.write("data/README.md", "b"), "fresh");
        check(|project| project.write("data/curated/README.md", "b"), "fresh");
        check(|project| project.write("data/tables/words.csv", "a"), "fresh");
        check(
            |project| project.write("data/tables/words.csv", "b"),
            "[--add /my.csv] data/tables/words.csv has changed",
        );
        check(|project| project.write("data/sources.toml", "b"), "[--add /my.csv] data/sources.toml has changed");
        check(|project| project.write("data/curated/new.csv", "b"), "data/curated/new.csv is new");
        check(|project| project.write("data/tables/names.tsv", "b"), "data/tables/names.tsv is new");
        check(|project| project.write("data/tables/borders.json", "b"), "data/tables/borders.json is new");
        check(|project| project.write("my.csv", "b"), "[--add /my.csv] /my.csv has changed");
        check(|project| remove_file(project, "data/tables/words.csv"), "data/tables/words.csv is gone");
        check(change_and_remove, "data/sources.toml has changed, and 1 more");
    }

    fn change_and_remove(project: &Project) {
        project.write("data/sources.toml", "b");
        remove_file(project, "data/tables/words.csv");
    }

    fn remove_file(project: &Project, path: &str) {
        std::fs::remove_file(project.at(path)).expect("it is there")
    }

    #[test]
    fn a_lost_import_fails_when_needed() {
        check(remove_import, "fresh");
        check(
            remove_import_and_change,
            "error: data/sources.toml has changed, so /index.toponym has to be built anew, but the file",
        );
    }

    fn remove_import_and_change(project: &Project) {
        remove_import(project);
        project.write("data/sources.toml", "b");
    }

    fn remove_import(project: &Project) {
        std::fs::remove_file(project.at("my.csv")).expect("it is there")
    }

    #[test]
    fn a_readable_index_of_unknown_origin_stays() {
        check(remove_receipt, "unknown");
        check(replace_index, "unknown");
        check(|project| project.write("index.toponym", "damaged"), "[--add /my.csv] /index.toponym: ");
        check(remove_index, "[--add /my.csv] there is no /index.toponym");
        check(remove_both, "[--core] there is no /index.toponym");
    }

    fn remove_both(project: &Project) {
        remove_index(project);
        remove_receipt(project);
    }

    fn remove_index(project: &Project) {
        std::fs::remove_file(project.at("index.toponym")).expect("it is there")
    }

    fn replace_index(project: &Project) {
        project.write("index.toponym", index("another"));
    }

    fn remove_receipt(project: &Project) {
        std::fs::remove_file(project.at("index.toponym.json")).expect("it is there")
    }

    /// An index and its pages, and the arguments that each was built with.
    const INDEX: &str = "index.toponym";
    const ROOT: &str = "index.pages/root.toponym";

    /// Builds things, and says whether the pages are up to date.
    fn check_pages(built: impl FnOnce(&Project), expect: &str) {
        let project = Project::new();
        built(&project);
        let [folder, index] = ["index.pages", INDEX].map(|path| project.at(path));
        let found = match freshness_of_pages(project.0.path(), &folder, &index, Recipe::default()) {
            Ok(Freshness::Stale { recipe, reason }) => format!("[{recipe}] {reason}"),
            Ok(other) => format!("{other:?}"),
            Err(error) => format!("error: {error}"),
        };
        let root = project.0.path().to_string_lossy().into_owned();
        assert!(found.replace(&*root, "").starts_with(expect), "{found}, not {expect}");
    }

    #[test]
    fn missing_pages_take_the_recipe_of_the_index() {
        check_pages(|_| {}, "[] there is no /index.pages/root.toponym");
        check_pages(Project::build, "[--add /my.csv] there is no /index.pages/root.toponym");
    }

    /// `index --paged --add my.csv; deploy; deploy`: the first `deploy` has the Worker built, whose task builds the default index.
    #[test]
    fn building_the_default_index_keeps_pages() {
        check_pages(build_pages_then_index, "Fresh");
        check_pages(build_then_change, "[--add /my.csv] data/sources.toml has changed");
        check_pages(build_then_damage, "[--add /my.csv] /index.pages/root.toponym: not a Toponym index");
        check_pages(build_then_remove, "[--add /my.csv] there is no /index.pages/root.toponym");
    }

    fn build_then_remove(project: &Project) {
        build_pages_then_index(project);
        std::fs::remove_file(project.at(ROOT)).expect("it is there");
    }

    fn build_then_damage(project: &Project) {
        build_pages_then_index(project);
        project.write(ROOT, "damaged");
    }

    fn build_then_change(project: &Project) {
        build_pages_then_index(project);
        project.write("data/sources.toml", "b");
    }

    fn build_pages_then_index(project: &Project) {
        project.build_by(project.recipe(), ROOT);
        project.build_by(Recipe::default(), INDEX);
    }

    #[test]
    fn building_other_pages_keeps_the_index() {
        let project = Project::new();
        project.build();
        project.build_by(Recipe::default(), ROOT);
        assert_eq!(project.freshness().expect("the files can be read"), Freshness::Fresh);
        project.write("data/sources.toml", "b");
        let reason = "data/sources.toml has changed".to_owned();
        let expect = Freshness::Stale { recipe: project.recipe(), reason };
        assert_eq!(project.freshness().expect("the files can be read"), expect);
    }

    #[test]
    fn pages_lacking_added_places_are_refused() {
        check_pages(
            build_pages_first,
            "error: /index.pages was built with no arguments, but /index.toponym with `--add /my.csv`: run `cargo toponym index --paged \
             --add /my.csv` for pages",
        );
        check_pages(build_index_first, "error: /index.pages was built with `--without db-stations`, but");
        check_pages(build_alike, "Fresh");
    }

    fn build_alike(project: &Project) {
        project.build();
        project.build_by(project.recipe(), ROOT);
    }

    fn build_index_first(project: &Project) {
        project.build();
        project.build_by(Recipe { without: vec!["db-stations".into()], ..Recipe::default() }, ROOT);
    }

    fn build_pages_first(project: &Project) {
        project.build_by(Recipe::default(), ROOT);
        project.build();
    }

    #[test]
    fn pages_of_unknown_origin_are_kept() {
        check_pages(build_pages_without_receipt, "Unknown");
    }

    fn build_pages_without_receipt(project: &Project) {
        project.build();
        project.build_by(project.recipe(), ROOT);
        std::fs::remove_file(project.at(&format!("{ROOT}.json"))).expect("it is there");
    }

    #[test]
    fn another_builder_is_a_reason() {
        assert_eq!(
            difference(&builder_inputs("a"), &builder_inputs("b"), &[]).as_deref(),
            Some("the builder has changed")
        );
        assert_eq!(difference(&builder_inputs("a"), &builder_inputs("a"), &[]), None);
    }

    fn builder_inputs(digest: &str) -> Inputs {
        Inputs::from([(BUILDER.to_owned(), digest.to_owned())])
    }
}
