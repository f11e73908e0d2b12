// Deletes the pages of old indexes from a bucket of R2. Without --yes it only says what it would delete. `cargo toponym deploy clean-pages`
// runs it.
//
//     node edge-worker/places/clean.mjs FOLDER --bucket NAME [--keep 2] [--yes] [--state FOLDER] [--account ID]
//
// It keeps the indexes that were deployed last, and the pages in FOLDER, also those of the version before.

import { parseArgs } from "node:util";
import { withBucket } from "./bucket.mjs";
import { unneeded } from "./contents.mjs";
import { pagesOf } from "./folder.mjs";
import { orExit } from "./or-exit.mjs";

const options = {
  bucket: { type: "string" },
  keep: { type: "string", default: "2" },
  yes: { type: "boolean" },
  state: { type: "string" },
  account: { type: "string" },
};
const { values, positionals } = parseArgs({ options, allowPositionals: true });

await orExit("not all is deleted; the same command goes on where this one stopped", async () => {
  const { names, before } = pagesOf(positionals[0]);
  await withBucket({ name: values.bucket, ...values }, async (bucket) => {
    const { kept, versions, pages } = await unneeded(bucket, Number(values.keep), [...names, ...before]);
    for (const version of kept) console.log(`kept: ${version}`);
    for (const version of versions) console.log(`old: ${version}`);
    if (values.yes) {
      // First the versions: an index of which only some pages are left must not be kept later.
      await bucket.remove([...versions, ...pages]);
      console.log(`${pages.length} pages are deleted`);
    } else {
      console.log(`${pages.length} pages belong to no other index; --yes deletes them`);
    }
  });
});
