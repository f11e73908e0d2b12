// Tests what fills and cleans a bucket of R2, on local storage, and that the service finds what it holds.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { checksum, withBucket } from "../../edge-worker/places/bucket.mjs";
import { fill, remember, unneeded } from "../../edge-worker/places/contents.mjs";
import { progress } from "../../edge-worker/places/progress.mjs";
import { ROOT } from "./harness.mjs";
import { Persisted } from "./persisted.mjs";
import { makeSmall } from "./small-index.mjs";

const BUCKET = "toponym-places";

let folder, state;
before(() => {
  // In memory, where writing takes no disk.
  folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "toponym-bucket-test-"));
  state = join(folder, "state");
});
after(() => rmSync(folder, { recursive: true, force: true }));

const inBucket = (use) => withBucket({ name: BUCKET, state }, use);
const name = (number) => number.toString(16).padStart(16, "0");
const bytes = (file) => Buffer.from(`page ${file}`);
const numbers = (from, to) => Array.from({ length: to - from }, (_, n) => name(from + n));

/** Runs a script of edge-worker/places on an index in pages with these pages. */
async function run(script, pages, ...options) {
  const index = mkdtempSync(join(folder, "index-"));
  for (const file of pages) writeFileSync(join(index, file), bytes(file));
  writeFileSync(join(index, "pages.json"), JSON.stringify({ pages, before: [] }));
  const child = start(script, index, ...options);
  const [out, err, [status]] = await Promise.all([child.stdout.toArray(), child.stderr.toArray(), once(child, "exit")]);
  return { status, said: Buffer.concat([...out, ...err]).toString() };
}

function start(script, index, ...options) {
  const path = join(ROOT, "edge-worker/places", script);
  return spawn(process.execPath, [path, index, "--bucket", BUCKET, "--state", state, ...options], { stdio: ["ignore", "pipe", "pipe"] });
}

// Uploads into other storage: the last of an option counts.
const upload = (pages, where) => start("upload.mjs", pages, "--state", where).on("spawn", function () { this.stdout.resume(); this.stderr.resume(); });

test("only what is lacking or wrong is written, and an interrupted upload goes on", async () => {
  await inBucket(async (bucket) => {
    const files = numbers(0, 1_100);
    await assert.rejects(
      fill(bucket, files, (file) => {
        if (file === files[700]) throw new Error("interrupted");
        return bytes(file);
      }),
      /interrupted/,
    );
    const there = (await bucket.list()).length;
    assert.ok(there > 0 && there < files.length, `${there}`);
    await bucket.put(files[3], Buffer.from("wrong"));
    const told = [];
    const written = await fill(bucket, files, bytes, (done, of) => told.push([done, of]));
    assert.equal(written, files.length - there + 1);
    assert.deepEqual([told[0], told.at(-1)], [[0, written], [written, written]]);
    const found = new Map(await bucket.list());
    assert.deepEqual([found.size, found.get(files[3])], [files.length, checksum(bytes(files[3]))]);
    assert.equal(await fill(bucket, files, bytes), 0);
    await bucket.remove(files);
    assert.deepEqual(await bucket.list(), []);
  });
});

test("what no version needs is deleted on request, and nothing else", async () => {
  const [first, second, third] = [numbers(0, 10), numbers(5, 15), numbers(10, 20)];
  await inBucket(async (bucket) => {
    await bucket.put("notes.txt", bytes("of somebody else"));
    for (const pages of [first, second, second]) {
      await fill(bucket, pages, bytes);
      await remember(bucket, pages, new Date());
    }
    assert.equal((await bucket.list("versions/")).length, 2, "an index that is deployed again is not a new version");
    assert.deepEqual((await unneeded(bucket, 2)).pages, []);
  });
  assert.match((await run("upload.mjs", third)).said, /5 of 10 pages were new to the bucket toponym-places/);
  // The pages of the folder stay, too.
  const shown = await run("clean.mjs", numbers(3, 10));
  assert.match(shown.said, /(kept: versions\/.*\n){2}old: versions\/.*\n3 pages belong to no other index/, shown.said);
  const cleaned = await run("clean.mjs", third, "--yes");
  assert.match(cleaned.said, /5 pages are deleted/, "none were, before");
  await inBucket(async (bucket) => {
    const left = (await bucket.list()).map(([file]) => file).filter((file) => !file.startsWith("versions/"));
    assert.deepEqual(left, [...numbers(5, 20), "notes.txt"]);
    // The second was deployed before the third, and again after it: it counts once.
    await remember(bucket, second, new Date("2100-01-01"));
    const { kept, pages } = await unneeded(bucket, 1);
    assert.deepEqual([kept.length, pages], [2, numbers(15, 20)]);
  });
});

test("a folder that is not an index in pages is refused", async () => {
  const child = start("upload.mjs", join(folder, "none"));
  const [err, [status]] = await Promise.all([child.stderr.toArray(), once(child, "exit")]);
  assert.equal(status, 1);
  assert.match(Buffer.concat(err).toString(), /is not an index in pages: write one with `cargo toponym index --paged`/);
});

test("the service finds the pages that were uploaded, as `cargo xtask serve --pages r2` runs it", async () => {
  const { pages } = makeSmall(join(folder, "small"));
  const persisted = new Persisted({ indexes: [pages], store: "r2" });
  try {
    const [status] = await once(upload(pages, persisted.state), "exit");
    assert.equal(status, 0);
    const { service } = await persisted.serve();
    const token = await service.token("localdemo");
    assert.equal((await service.sendAs(token, "GET /v1/geocoding/forward?query=Heraklion&limit=1")).status, 200);
  } finally {
    await persisted.end();
  }
});

test("progress", () => {
  assert.equal(progress(0, 4_695, 0), "0 of 4,695 pages");
  assert.equal(progress(1_200, 4_695, 14_000), "1,200 of 4,695 pages, 86 a second, 41 s left");
  assert.equal(progress(100, 226_000, 1_000), "100 of 226,000 pages, 100 a second, 37 min 39 s left");
});
