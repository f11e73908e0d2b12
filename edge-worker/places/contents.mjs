// What lies in a bucket: pages of indexes, and which of them an index needs that was deployed.
//
// ```text
// 0123456789abcdef            a page, named by its checksum; it never changes
// versions/<time>-<checksum>  the names of the pages of an index that was deployed then, in JSON
// ```

import { checksum } from "./bucket.mjs";

const VERSIONS = "versions/";
const PAGE = /^[0-9a-f]{16}$/;

/** Pages that are written at once. */
const AT_ONCE = 24;

/**
 * Writes those pages that the bucket lacks, or has otherwise. `read` returns the bytes of one by its name. Calls `tell` with how
 * many of how many are written. What is interrupted goes on with the next call. Returns how many were written.
 */
export async function fill(bucket, names, read, tell = () => {}) {
  const there = new Map(await bucket.list());
  const lacking = names.filter((name) => !there.has(name) || there.get(name) !== checksum(read(name)));
  let written = 0;
  tell(written, lacking.length);
  await each(lacking, async (name) => {
    await bucket.put(name, read(name));
    tell(++written, lacking.length);
  });
  return written;
}

/** Calls `work` with every item, several at once. After a failure it begins no other. */
async function each(items, work) {
  const rest = [...items].reverse();
  const worker = async () => {
    try {
      while (rest.length > 0) await work(rest.pop());
    } finally {
      rest.length = 0;
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker));
  const failed = workers.find(({ status }) => status === "rejected");
  if (failed) throw failed.reason;
}

/** Writes down that an index with these pages is deployed at a time, unless it is the latest one. */
export async function remember(bucket, names, time) {
  const list = JSON.stringify(names.toSorted());
  const latest = (await bucket.list(VERSIONS)).at(-1);
  if (latest?.[1] !== checksum(list)) await bucket.put(`${VERSIONS}${time.toISOString()}-${checksum(list)}`, list);
}

/**
 * What the bucket has beside the `keep` indexes that were deployed last, and beside the pages `wanted`: the names of versions and
 * of pages. `kept` are the versions that stay. An index that was deployed several times counts once.
 */
export async function unneeded(bucket, keep, wanted = []) {
  const all = await bucket.list();
  const versions = all.filter(([name]) => name.startsWith(VERSIONS)).reverse();
  const latest = [...new Set(versions.map(([, list]) => list))].slice(0, keep);
  const kept = versions.filter(([, list]) => latest.includes(list)).map(([name]) => name);
  const lists = await Promise.all(kept.map(async (name) => JSON.parse(await bucket.text(name))));
  const needed = new Set([...wanted, ...lists.flat()]);
  const others = all.map(([name]) => name).filter((name) => !needed.has(name) && !kept.includes(name));
  return { kept, versions: others.filter((name) => name.startsWith(VERSIONS)), pages: others.filter((name) => PAGE.test(name)) };
}
