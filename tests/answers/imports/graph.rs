//! Finds cycles in the graph of imports between files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;

/// Finds the groups of files that can all reach each other, each in order, the group of the last file first.
pub fn cycles(imports: &BTreeMap<PathBuf, BTreeSet<PathBuf>>) -> Vec<Vec<PathBuf>> {
    let edges = imports.iter().flat_map(|(from, to)| to.iter().map(move |to| (from.as_path(), to.as_path())));
    let graph = DiGraphMap::<_, ()>::from_edges(edges);
    let mut cycles: Vec<Vec<PathBuf>> = tarjan_scc(&graph)
        .into_iter()
        .filter(|group| group.len() > 1)
        .map(|group| group.into_iter().map(PathBuf::from).collect::<BTreeSet<_>>().into_iter().collect())
        .collect();
    cycles.sort_by(|a, b| b.cmp(a));
    cycles
}
