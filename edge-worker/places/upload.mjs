// Uploads the pages of an index to a bucket of R2: those that it lacks. `cargo toponym deploy --pages r2` runs it before the Worker
// is deployed, and `cargo xtask serve --pages r2` with local storage.
//
//     node edge-worker/places/upload.mjs FOLDER --bucket NAME [--state FOLDER] [--account ID]

import { parseArgs } from "node:util";
import { withBucket } from "./bucket.mjs";
import { fill, remember } from "./contents.mjs";
import { pagesOf } from "./folder.mjs";
import { orExit } from "./or-exit.mjs";
import { progress } from "./progress.mjs";

/** Between two lines, milliseconds. */
const SILENCE_MS = 1_000;

const options = { bucket: { type: "string" }, state: { type: "string" }, account: { type: "string" } };
const { values, positionals } = parseArgs({ options, allowPositionals: true });

let begun, told;
function tell(done, of) {
  const now = Date.now();
  begun ??= now;
  if (told && done < of && now < told + SILENCE_MS) return;
  told = now;
  console.log(progress(done, of, now - begun));
}

await orExit("not all pages are uploaded; the same command goes on where this one stopped", async () => {
  const { names, read } = pagesOf(positionals[0]);
  await withBucket({ name: values.bucket, ...values }, async (bucket) => {
    const written = await fill(bucket, names, read, tell);
    await remember(bucket, names, new Date());
    console.log(`${written} of ${names.length} pages were new to the bucket ${values.bucket}`);
  });
});
