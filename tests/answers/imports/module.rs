//! Parses the modules of a crate with their definitions and imports, and resolves paths.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Attribute, Expr, ExprLit, Item, ItemMod, ItemUse, Lit, UseTree, Visibility};

/// Maximum depth of re-exports of re-exports. Real code is less deep.
const MAX_DEPTH: usize = 8;

/// The modules of a crate, the root first.
pub struct Crate {
    modules: Vec<Module>,
}

#[derive(Default)]
struct Module {
    file: PathBuf,
    parent: Option<usize>,
    children: BTreeMap<String, usize>,
    /// Names from a `use`, each with its path.
    bound: BTreeMap<String, Vec<String>>,
    /// Paths of glob imports.
    globs: Vec<Vec<String>>,
    /// All paths of the code and of its imports.
    paths: BTreeSet<Vec<String>>,
}

impl Crate {
    /// Reads the crate that begins with `file`.
    pub fn read(file: &Path) -> Result<Self, Box<dyn Error>> {
        let mut modules = Vec::new();
        let folder = file.parent().expect("a file lies in a folder");
        let items = syn::parse_file(&std::fs::read_to_string(file)?)?.items;
        add(&mut modules, Module { file: file.to_owned(), ..Module::default() }, folder, &items)?;
        Ok(Self { modules })
    }

    /// Returns the files that each file imports.
    pub fn imports(&self) -> BTreeMap<PathBuf, BTreeSet<PathBuf>> {
        let mut imports: BTreeMap<PathBuf, BTreeSet<PathBuf>> = BTreeMap::new();
        for (number, module) in self.modules.iter().enumerate() {
            let files = imports.entry(module.file.clone()).or_default();
            let targets = module.paths.iter().filter_map(|path| self.file_of(number, path, 0));
            files.extend(targets.filter(|target| *target != module.file));
        }
        imports
    }

    /// Finds the file that a path in a module leads to; `None` outside this crate.
    fn file_of(&self, from: usize, path: &[String], depth: usize) -> Option<PathBuf> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => self.file_behind(0, rest, depth),
            "self" => self.file_behind(from, rest, depth),
            "super" => self.file_behind(self.modules[from].parent?, rest, depth),
            name => {
                let module = &self.modules[from];
                let is_known = module.children.contains_key(name) || module.bound.contains_key(name);
                if is_known { self.file_behind(from, path, depth) } else { None }
            }
        }
    }

    /// Finds the file that the names behind a module lead to.
    fn file_behind(&self, module: usize, names: &[String], depth: usize) -> Option<PathBuf> {
        let here = &self.modules[module];
        let Some((name, rest)) = names.split_first().filter(|_| depth < MAX_DEPTH) else {
            return Some(here.file.clone());
        };
        if name == "super" {
            return self.file_behind(here.parent?, rest, depth);
        }
        if let Some(&child) = here.children.get(name) {
            return self.file_behind(child, rest, depth);
        }
        if let Some(path) = here.bound.get(name) {
            // A name from another crate counts as part of this file for its importers.
            let path = [path, rest].concat();
            return Some(self.file_of(module, &path, depth + 1).unwrap_or_else(|| here.file.clone()));
        }
        let of_glob = here.globs.iter().find_map(|glob| self.defined_behind(module, glob, name, depth));
        Some(of_glob.unwrap_or_else(|| here.file.clone()))
    }

    /// Finds the file of a name from a glob import; `None` if the glob is of another crate.
    fn defined_behind(&self, module: usize, glob: &[String], name: &str, depth: usize) -> Option<PathBuf> {
        self.file_of(module, &[glob, &[name.to_owned()]].concat(), depth + 1)
    }
}

/// Adds a module and those in it.
fn add(modules: &mut Vec<Module>, module: Module, folder: &Path, items: &[Item]) -> Result<usize, Box<dyn Error>> {
    let number = modules.len();
    modules.push(module);
    for item in items.iter().filter(|item| !is_for_tests(attributes(item))) {
        match item {
            Item::Mod(item) => {
                let child = add_child(modules, number, folder, item)?;
                modules[number].children.insert(item.ident.to_string(), child);
            }
            Item::Use(item) => add_imports(&mut modules[number], item),
            _ => {
                let mut paths = Paths::default();
                paths.visit_item(item);
                modules[number].paths.extend(paths.0);
            }
        }
    }
    Ok(number)
}

fn add_child(modules: &mut Vec<Module>, parent: usize, folder: &Path, item: &ItemMod) -> Result<usize, Box<dyn Error>> {
    let name = item.ident.to_string();
    let inner = folder.join(&name);
    let module = |file: PathBuf| Module { file, parent: Some(parent), ..Module::default() };
    if let Some((_, items)) = &item.content {
        let file = modules[parent].file.clone();
        return add(modules, module(file), &inner, items);
    }
    let beside = modules[parent].file.parent().unwrap_or(folder).to_owned();
    let (file, inner) = match path_of(item) {
        Some(path) => {
            let file = beside.join(path);
            let folder = file.parent().unwrap_or(folder).to_owned();
            (file, folder)
        }
        None => {
            let candidates = [folder.join(format!("{name}.rs")), inner.join("mod.rs")];
            let file = candidates.into_iter().find(|file| file.exists());
            (file.ok_or(format!("module {name} has no file"))?, inner)
        }
    };
    let items = syn::parse_file(&std::fs::read_to_string(&file)?)?.items;
    add(modules, module(file), &inner, &items)
}

/// Returns the file that `#[path = "..."]` says a module is in.
fn path_of(item: &ItemMod) -> Option<String> {
    let values = item.attrs.iter().filter(|attribute| attribute.path().is_ident("path"));
    values.filter_map(|attribute| attribute.meta.require_name_value().ok()).find_map(|value| match &value.value {
        Expr::Lit(ExprLit { lit: Lit::Str(path), .. }) => Some(path.value()),
        _ => None,
    })
}

fn add_imports(module: &mut Module, item: &ItemUse) {
    let is_private = matches!(item.vis, Visibility::Inherited);
    let mut leaves = Vec::new();
    flatten(&item.tree, Vec::new(), &mut leaves);
    for (path, name) in leaves {
        match name {
            Some(name) => {
                module.bound.insert(name, path.clone());
            }
            None => module.globs.push(path.clone()),
        }
        // A module that only re-exports its children's items does not import them.
        if is_private {
            module.paths.insert(path);
        }
    }
}

/// Collects the paths of a `use`, each with the name it is bound to, `None` for a glob.
fn flatten(tree: &UseTree, mut path: Vec<String>, leaves: &mut Vec<(Vec<String>, Option<String>)>) {
    match tree {
        UseTree::Path(tree) => {
            path.push(tree.ident.to_string());
            flatten(&tree.tree, path, leaves);
        }
        UseTree::Name(tree) if tree.ident == "self" => {
            let name = path.last().cloned();
            leaves.push((path, name));
        }
        UseTree::Name(tree) => {
            path.push(tree.ident.to_string());
            leaves.push((path, Some(tree.ident.to_string())));
        }
        UseTree::Rename(tree) => {
            if tree.ident != "self" {
                path.push(tree.ident.to_string());
            }
            leaves.push((path, Some(tree.rename.to_string())));
        }
        UseTree::Glob(_) => leaves.push((path, None)),
        UseTree::Group(tree) => tree.items.iter().for_each(|tree| flatten(tree, path.clone(), leaves)),
    }
}

/// The paths in an item that are longer than a name.
#[derive(Default)]
struct Paths(Vec<Vec<String>>);

impl<'ast> Visit<'ast> for Paths {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 {
            self.0.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(is_test_attribute)
}

fn is_test_attribute(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Ident>().is_ok_and(|name| name == "test")
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
