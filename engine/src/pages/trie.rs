//! The trie of a shelf, by which a search with edits passes over most of its pages.

use super::directory::{Crown, Leaf, Letter, Shelf};
use super::page_id::PageId;

/// Crowns as nodes, each with the leaves and the crowns directly below it, and with the least cost below.
#[derive(Debug)]
pub(super) struct Trie {
    /// The first is above all others.
    nodes: Vec<Node>,
    leaves: Vec<Twig>,
}

/// The names that begin with a prefix.
#[derive(Debug)]
pub(super) struct Node {
    /// The last letter of the prefix.
    pub letter: char,
    /// Least cost of the node's keys, and of those of all nodes and leaves below, in steps.
    pub least: u8,
    /// The page of the prefix as a name, and what it costs at least.
    pub own: Option<(u8, PageId)>,
    parent: u32,
    first_child: Option<u32>,
    next_child: Option<u32>,
    first_leaf: Option<u32>,
}

/// A leaf below a node: the page of the names that go on with some letters.
#[derive(Debug)]
pub(super) struct Twig {
    pub first: Letter,
    pub last: Letter,
    pub least: u8,
    pub page: PageId,
    next: Option<u32>,
}

impl Trie {
    /// Creates the trie of the pages of a shelf, which are in order.
    pub fn of(shelf: &Shelf) -> Self {
        let mut trie = Self { nodes: vec![Node::above('\0', 0)], leaves: Vec::with_capacity(shelf.leaves.len()) };
        let mut crowns = shelf.crowns.iter().peekable();
        // The prefixes of the node that comes next and of those above it.
        let mut path: Vec<(&str, u32)> = vec![("", 0)];
        for leaf in &shelf.leaves {
            while let Some(crown) = crowns.next_if(|crown| crown.letters().le(leaf.letters())) {
                trie.add_crown(crown, &mut path);
            }
            path.retain(|(prefix, _)| prefix.len() <= leaf.prefix.len());
            trie.add_leaf(leaf, path.last().map_or(0, |&(_, node)| node));
        }
        crowns.for_each(|crown| trie.add_crown(crown, &mut path));
        for at in (1..trie.nodes.len()).rev() {
            let Node { parent, least, .. } = trie.nodes[at];
            let above = &mut trie.nodes[parent as usize];
            above.least = above.least.min(least);
        }
        trie
    }

    /// Returns the node above all others.
    pub fn top(&self) -> &Node {
        &self.nodes[0]
    }

    /// Iterates over the nodes directly below one, in any order.
    pub fn children(&self, node: &Node) -> impl Iterator<Item = &Node> {
        let child = |at: Option<u32>| at.map(|at| &self.nodes[at as usize]);
        std::iter::successors(child(node.first_child), move |node| child(node.next_child))
    }

    /// Iterates over the leaves directly below a node, in any order.
    pub fn leaves(&self, node: &Node) -> impl Iterator<Item = &Twig> {
        let leaf = |at: Option<u32>| at.map(|at| &self.leaves[at as usize]);
        std::iter::successors(leaf(node.first_leaf), move |twig| leaf(twig.next))
    }

    fn add_crown<'s>(&mut self, crown: &'s Crown, path: &mut Vec<(&'s str, u32)>) {
        path.retain(|(prefix, _)| crown.prefix.len() > prefix.len() && crown.prefix.starts_with(prefix));
        let (prefix, parent) = path.last().copied().unwrap_or_default();
        // Each letter of a prefix has its crown.
        let Some(letter) = crown.prefix[prefix.len()..].chars().next() else { return };
        let at = self.nodes.len() as u32;
        let above = &mut self.nodes[parent as usize];
        let next_child = above.first_child.replace(at);
        let own = crown.own.map(|_| (crown.least, crown.page));
        self.nodes.push(Node { least: crown.least, own, next_child, ..Node::above(letter, parent) });
        path.push((&crown.prefix, at));
    }

    fn add_leaf(&mut self, leaf: &Leaf, node: u32) {
        let node = &mut self.nodes[node as usize];
        let next = node.first_leaf.replace(self.leaves.len() as u32);
        node.least = node.least.min(leaf.least);
        let &Leaf { first, last, least, page, .. } = leaf;
        self.leaves.push(Twig { first, last, least, page, next });
    }
}

impl Node {
    /// Creates a node with nothing below it yet.
    fn above(letter: char, parent: u32) -> Self {
        Self { letter, least: u8::MAX, own: None, parent, first_child: None, next_child: None, first_leaf: None }
    }
}
