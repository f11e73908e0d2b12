// Tests that nothing of a geocoder stays in memory: counts the engines that live, and the bytes of the memory of wasm, which
// grows and never shrinks. In a file of its own, for no other test may use that memory.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { Project, Site, bytesOf } from "./harness.mjs";
import { NEWER, newerPages, pagesOfCore } from "./paged-index.mjs";
import { soon } from "../soon.mjs";

/** Geocoders that come and go. */
const ROUNDS = 5;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

/** How many engines there are. */
let live = 0;

/** Whether the garbage collector frees engines that the package forgot to free. */
let isCollecting = false;

/** The registry in which wasm-bindgen has the engines, each from when it is made until it is freed or joined. */
class CountingRegistry extends FinalizationRegistry {
  constructor(free) {
    super((engine) => {
      live -= 1;
      free(engine);
    });
  }

  register(...given) {
    live += 1;
    if (isCollecting) super.register(...given);
  }

  unregister(token) {
    live -= 1;
    return super.unregister(token);
  }
}

let project, pages, Geocoder, bytes, one;

before(async () => {
  project = new Project();
  pages = { older: pagesOfCore(), newer: newerPages() };
  const { FinalizationRegistry } = globalThis;
  globalThis.FinalizationRegistry = CountingRegistry;
  ({ Geocoder } = await import(pathToFileURL(project.write("use.mjs", 'export * from "toponym";\n'))));
  const memories = [await Geocoder.start(), await Geocoder.startPages()].map(({ memory }) => memory);
  globalThis.FinalizationRegistry = FinalizationRegistry;
  bytes = () => memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
});

after(() => project?.remove());

/** Reads pages from a folder, as a host does. */
const from = (folder) => async (url) => {
  const file = join(folder, basename(url));
  return existsSync(file) ? new Response(readFileSync(file)) : new Response("", { status: 404 });
};

const inPages = (folder, options) => Geocoder.load({ pages: "https://example.com/root", fetch: from(folder), ...options });

/** What is not an index. */
const DAMAGED = { bytes: new Uint8Array(9) };

const invalid = { code: "invalid_index" };

/** Ways of a geocoder to come and go. Each leaves nothing. */
const WAYS = {
  "is freed": async () => (await Geocoder.load()).free(),
  "is freed twice": async () => {
    const geo = await Geocoder.load();
    geo.free();
    geo.free();
  },
  "is disposed of": async () => (await Geocoder.load())[Symbol.dispose](),
  "is disposed of later": async () => (await Geocoder.load())[Symbol.asyncDispose](),
  "of several packs": async () => (await Geocoder.load({ packs: ["core", { bytes: bytesOf(project) }] })).free(),
  "of packs of which one is damaged": () => assert.rejects(Geocoder.load({ packs: ["core", DAMAGED] }), invalid),
  "given up while it waits for another pack": async () => {
    const host = await Site.of(project.folder);
    host.intercept = () => true;
    const stop = new AbortController();
    const loading = Geocoder.load({ packs: ["core", { url: `${host.url}/pack.bin` }], signal: stop.signal });
    await soon(() => live + host.requests.length, (count) => count === 2);
    stop.abort("enough");
    await assert.rejects(loading, (reason) => reason === "enough");
    await soon(() => live, (count) => count === 0);
    await host.close();
  },
  "of an index in pages": async () => {
    const geo = await inPages(pages.older);
    assert.match((await geo.forward("Ouagadougou"))[0].display_name, /^Ouagadougou/);
    geo.free();
  },
  "of an index in pages, disposed of": async () => (await inPages(pages.older))[Symbol.asyncDispose](),
  "of an index in pages and a pack": async () => (await inPages(pages.older, { packs: ["core"] })).free(),
  "of an index in pages and a pack that is damaged": () => assert.rejects(inPages(pages.older, { packs: [DAMAGED] }), invalid),
  "of a root that is damaged, and a pack": async () => {
    const fetch = async () => new Response("x");
    await assert.rejects(inPages(pages.older, { packs: ["core"], fetch }), invalid);
  },
  "of a host that gets a newer version": async () => {
    let folder = pages.older;
    const geo = await inPages(undefined, { fetch: (url) => from(folder)(url) });
    folder = pages.newer;
    // The older version's page is not there, so the geocoder takes over the newer root.
    assert.ok((await geo.forward(NEWER.name))[0].display_name.startsWith(NEWER.name));
    assert.equal(live, 1, "the older root is freed");
    geo.free();
  },
};

// The first: later ones use what it frees.
test("geocoders that stay are seen", async () => {
  const held = [await Geocoder.load()];
  const before = bytes();
  held.push(await Geocoder.load(), await Geocoder.load());
  one = (bytes() - before) / 2;
  assert.ok(one > bytesOf(project).length, `a geocoder holds its index unpacked: ${one} bytes`);
  assert.equal(live, held.length);
  for (const geo of held) geo.free();
  assert.equal(live, 0);
});

for (const [way, comeAndGo] of Object.entries(WAYS)) {
  test(`nothing stays of a geocoder ${way}`, async () => {
    // The first one may take more than there is from others.
    await comeAndGo();
    const before = bytes();
    for (let round = 0; round < ROUNDS; round += 1) await comeAndGo();
    assert.equal(live, 0, "engines that live");
    const grown = bytes() - before;
    assert.ok(grown < one / 2, `${ROUNDS} of them took ${grown} bytes more, and one takes ${one}`);
  });
}

test("what the page forgets to free, the garbage collector frees", async () => {
  isCollecting = true;
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      await Geocoder.load();
      await inPages(pages.older);
    }
    // Something may still point to the last of each.
    await soon(() => (collectGarbage(), live), (count) => count <= 2);
  } finally {
    isCollecting = false;
  }
});

test("what named a group is not kept", async () => {
  const geo = await inPages(pages.older);
  const groups = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const group = {};
    groups.push(new WeakRef(group));
    await geo.autocomplete("par", { group });
  }
  // Something may still point to the last.
  await soon(() => (collectGarbage(), groups.filter((group) => group.deref()).length), (count) => count <= 1);
  geo.free();
});

for (const [what, memory, isFetchedAgain] of [["stay while there is room", 1e9, false], ["go when there is none", 0, true]]) {
  test(`pages of questions that are answered ${what}`, async () => {
    const read = from(pages.older);
    const fetched = [];
    const geo = await inPages(pages.older, { memory, fetch: (url) => (fetched.push(url), read(url)) });
    const ask = async () => {
      fetched.length = 0;
      await geo.forward("Ouagadougou");
      return fetched.length > 0;
    };
    assert.equal(await ask(), true);
    assert.equal(await ask(), isFetchedAgain);
    assert.equal(await ask(), isFetchedAgain);
    geo.free();
  });
}
