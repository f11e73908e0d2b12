use crate::room::Table;

pub struct Name(Option<Box<Table>>);
