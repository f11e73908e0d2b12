// Tests large batches in isolates that have no page yet, within the limits of the platform (limits.mjs): the pages come with six
// connections, stay when others do not come, and are enough after some retries where a request may make 50 subrequests.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { makeSmall, startOver } from "./small-index.mjs";

/** Another index in pages, to measure with: the folder that `cargo toponym index --paged` writes. */
const INDEX = process.env.TOPONYM_INDEX;

/** Of all sizes, so that few of them share a page. */
const CITIES = `Aix-les-Bains, Aubervilliers, Audincourt, Bagheria, Beppu, Boulogne-Billancourt, Cagliari, Caltanissetta, Cenon, Ciampino,
  Dalmine, Deuil-la-Barre, Dunkirk, Fasano, Fondi, Fukuoka, Gela, Giugliano in Campania, Gien, Guyancourt, Hamamatsu, Habikino, Hirakata,
  Yokosuka, Yokohama, Yokkaichi, Kawagoe, Kitami, Koshigaya, Kodaira, Kusatsu, La Roche-sur-Yon, Le Havre, Le Cannet, Lodi, Longwy,
  Machida, Metz, Merano, Modena, Montauban, Munakata, Nagano, Neyagawa, Neuilly-sur-Marne, Novara, Paris, Pisa, Ragusa, Reggio Calabria,
  Rieti, Rouen, Romans-sur-Isère, Sakai, Sendai, Sesto San Giovanni, Sondrio, Suwa, Terni, Termini Imerese, Turin, Ueda, Valence, Velletri,
  Villeneuve-d'Ascq, Volos, Tokio, Mailand, Florenz, Marseile, Toulose, Bordeux, Grenobl, Strasbourgh, Palermmo, Bolonia, Kyotto, Nagoia,
  Sapporro, Hirosima`.split(/,\s+/);

/** South, west, north, east of parts of France, Italy, Greece and Japan, and five points of each. */
const PARTS = [[43.5, -1, 50, 7], [41, 9, 46, 15], [37, 21, 41, 24], [33, 131, 43, 143]];
const POINTS = PARTS.flatMap(([south, west, north, east]) =>
  [0, 0.25, 0.5, 0.75, 1].map((part) => ({ lat: south + (north - south) * part, lon: west + (east - west) * part })),
);

const BATCH = JSON.stringify({ queries: [...CITIES, ...POINTS] });

/** So small that the batch needs a hundred pages. */
const PAGE_BYTES = 2_000;

/** Connections of an invocation, and subrequests of one on a free account and on a paid one. */
const [CONNECTIONS, FREE, PAID] = [6, 50, 10_000];

/** Retries after which a batch is to succeed. */
const RETRIES = 4;

/** How long a page takes, milliseconds: so long that six at a time take longer than one attempt may. */
const SLOW_MS = 200;

let folder, pages;
before(() => {
  folder = mkdtempSync(join(tmpdir(), "toponym-cold-"));
  pages = INDEX ?? makeSmall(folder, 0, PAGE_BYTES).pages;
});
after(() => rmSync(folder, { recursive: true, force: true }));

for (const store of ["assets", "r2"]) {
  describe(store, () => {
    let service, token;
    before(async () => {
      service = await startOver(pages, store);
      // A key that does not lease: its object is asked about every request.
      token = await service.token("", await service.create("growth", { overrides: { perMinute: 100_000 } }));
    });
    after(() => service?.stop());

    const faults = async (armed) => (await service.send(`${armed ? "POST" : "GET"} /faults`, { body: armed && JSON.stringify(armed) })).json();
    const send = () => service.sendAs(token, "POST /v1/geocoding/batch", BATCH);
    const remaining = (response) => Number(response.headers.get("x-ratelimit-remaining"));

    // Ends the instance, and all pages with it.
    async function forget() {
      await faults({ engine: { fault: "memory", times: 1 } });
      assert.equal((await send()).status, 500);
    }

    beforeEach(async () => {
      await faults({ connections: null, subrequests: null, "pages.after": null });
      await forget();
    });

    // Calls `act`. Returns what it does, and how often the store was asked for each page meanwhile.
    async function fetchesOf(act) {
      const { fetched: earlier } = await faults();
      const result = await act();
      const { fetched } = await faults();
      const counts = Object.entries(fetched).map(([file, count]) => [file, count - (earlier[file] ?? 0)]);
      return [result, Object.fromEntries(counts.filter(([, count]) => count > 0))];
    }

    const once = (fetches) => Object.values(fetches).every((count) => count === 1);

    test("with 50 subrequests a batch is 503, keeps its pages, and succeeds after some retries", async (t) => {
      const before = remaining(await service.sendAs(token, "GET /v1/geocoding/place/1"));
      await faults({ connections: CONNECTIONS, subrequests: FREE });
      const statuses = [];
      const [response, fetches] = await fetchesOf(async () => {
        for (;;) {
          const response = await send();
          statuses.push(response.status);
          if (response.status === 200 || statuses.length > RETRIES) return response;
          assert.equal(response.headers.get("retry-after"), "1", `${statuses}`);
        }
      });
      t.diagnostic(`${statuses} after ${Object.keys(fetches).length} pages`);
      assert.equal(response.status, 200, `${statuses}`);
      assert.ok(statuses.length > 1 && statuses.slice(0, -1).every((status) => status === 503), `${statuses}`);
      assert.ok(once(fetches), JSON.stringify(fetches));
      assert.equal(remaining(response), before - 100, "what failed costs nothing");
    });

    test("slow pages come six at a time, and no timer runs before its page is asked for", async (t) => {
      await faults({ connections: CONNECTIONS, subrequests: PAID, "pages.after": SLOW_MS });
      const { queued } = (await faults()).limits;
      const begun = Date.now();
      const [response, fetches] = await fetchesOf(send);
      t.diagnostic(`${response.status} after ${Object.keys(fetches).length} pages, ${Date.now() - begun} ms`);
      assert.equal(response.status, 200);
      assert.equal((await response.json()).total, 100);
      assert.equal((await faults()).limits.queued, queued, "no page waited for a connection");
      assert.ok(once(fetches), JSON.stringify(fetches));
    });

    test("pages that came stay when another one does not come", async () => {
      const [first, needed] = await fetchesOf(send);
      assert.equal(first.status, 200);
      await forget();
      const [lacking] = Object.keys(needed);
      await faults({ [`pages/${lacking}`]: "missing" });
      const [response, came] = await fetchesOf(send);
      await faults({ [`pages/${lacking}`]: null });
      assert.deepEqual([response.status, came[lacking]], [502, 2]);
      const [again, rest] = await fetchesOf(send);
      assert.equal(again.status, 200);
      const twice = Object.keys(rest).filter((file) => file !== lacking && file in came);
      assert.deepEqual(twice, [], "nothing else is fetched again");
    });
  });
}
