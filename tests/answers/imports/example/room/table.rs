use crate::Name;

pub struct Table(Vec<Name>);
