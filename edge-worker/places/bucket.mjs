// A bucket of R2, through a binding as the Worker has one, and not through Cloudflare's API, which admits 1,200 requests in five
// minutes. wrangler runs worker.mjs on this machine; its binding leads to the account that wrangler is logged in to, or to local
// storage.

import { createHash, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { unstable_startWorker as startWorker } from "wrangler";

/** Objects that one call deletes at most. */
const DELETED_AT_ONCE = 1_000;

/** Attempts at each operation, and the wait after the first, which doubles: the network may fail for some seconds. */
const ATTEMPTS = 6;
const WAIT_MS = 500;

/** How long one attempt may take. */
const PATIENCE_MS = 60_000;

/**
 * Calls `use` with the bucket `name`: the local one below the folder `state`, or without it the one of the account. `account` is
 * the account's id, for logins with several.
 */
export async function withBucket({ name, state, account }, use) {
  const folder = mkdtempSync(join(tmpdir(), "toponym-bucket-"));
  const secret = randomUUID();
  const configuration = {
    name: "toponym-bucket",
    main: join(import.meta.dirname, "worker.mjs"),
    compatibility_date: "2026-10-01",
    account_id: account,
    vars: { SECRET: secret },
    r2_buckets: [{ binding: "PLACES", bucket_name: name, remote: !state }],
  };
  const config = join(folder, "wrangler.json");
  writeFileSync(config, JSON.stringify(configuration));
  const dev = { persist: state ? resolve(state) : false, inspector: false, watch: false, logLevel: "error", server: { port: 0 } };
  const worker = await startWorker({ config, dev });
  // wrangler says here that it cannot reach the account, after the Worker is ready.
  const failed = new Promise((_, reject) => worker.raw.once("error", (event) => reject(new Error(reasonOf(event)))));
  const used = async () => {
    await worker.ready;
    return use(new Bucket(await worker.url, secret));
  };
  try {
    return await Promise.race([failed, used()]);
  } finally {
    await worker.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

const reasonOf = ({ reason, cause, message }) => [reason ?? message, cause?.message].filter(Boolean).join(": ");

/** The checksum of what an object holds, as a bucket gives it. */
export const checksum = (bytes) => createHash("md5").update(bytes).digest("hex");

/** A bucket. Each of its operations is tried several times. */
class Bucket {
  #url;
  #secret;

  constructor(url, secret) {
    this.#url = url;
    this.#secret = secret;
  }

  /** The names of the objects that begin with `prefix`, in their order, each with its checksum. */
  async list(prefix = "") {
    const found = [];
    let cursor;
    do {
      const path = `/?${new URLSearchParams({ prefix, ...(cursor && { cursor }) })}`;
      const listed = await (await this.#send("GET", path)).json();
      found.push(...listed.objects);
      cursor = listed.cursor;
    } while (cursor);
    return found;
  }

  /** The text of an object. */
  async text(name) {
    return (await this.#send("GET", `/${encodeURIComponent(name)}`)).text();
  }

  /** Writes an object. */
  async put(name, bytes) {
    await this.#send("PUT", `/${encodeURIComponent(name)}`, bytes, { "x-md5": checksum(bytes) });
  }

  /** Deletes objects. */
  async remove(names) {
    for (let from = 0; from < names.length; from += DELETED_AT_ONCE) {
      await this.#send("DELETE", "/", JSON.stringify(names.slice(from, from + DELETED_AT_ONCE)));
    }
  }

  async #send(method, path, body, headers) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const signal = AbortSignal.timeout(PATIENCE_MS);
        const response = await fetch(new URL(path, this.#url), { method, body, signal, headers: { ...headers, authorization: this.#secret } });
        if (response.ok) return response;
        throw new Error(`the bucket answers ${response.status}: ${await response.text()}`);
      } catch (error) {
        if (attempt === ATTEMPTS) throw error;
        await wait(WAIT_MS * 2 ** (attempt - 1));
      }
    }
  }
}
