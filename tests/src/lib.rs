//! Integration tests of the whole project, in `tests/`. The library itself is empty.
