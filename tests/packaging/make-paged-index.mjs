// Makes the indexes in pages that the tests of this folder read. `cargo xtask test` runs it before them, so that no two files make
// the same index at the same time.

import { newerPages, pagesOfCore } from "./paged-index.mjs";

pagesOfCore();
newerPages();
