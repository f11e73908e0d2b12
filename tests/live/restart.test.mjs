// Tests what survives a restart: workerd is killed without a chance to write anything, and restarted on the same
// storage.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Persisted } from "./persisted.mjs";

const ONE = "GET /v1/geocoding/autocomplete?q=Par";

let persisted;
before(() => (persisted = new Persisted()));
after(() => persisted.end());

test("keys, tokens, counts, the month and a disabled key outlive a kill", async () => {
  const first = await persisted.serve();
  const key = await first.service.create("free", { overrides: { perMonth: 8 } });
  const other = await first.service.create("growth");
  const token = await first.service.token("", key);
  const otherToken = await first.service.token("", other);
  for (let n = 0; n < 5; n++) assert.equal((await first.service.sendAs(token, ONE)).status, 200);
  await first.service.admin(`PATCH /admin/keys/${other.apiKey}`, { enabled: false });
  await persisted.kill(first.child);

  const { service, child } = await persisted.serve();
  const sixth = await service.sendAs(token, ONE);
  assert.equal(sixth.status, 200, "the token is still good");
  const { keys } = await (await service.admin("GET /admin/keys")).json();
  assert.deepEqual(keys.map(({ apiKey }) => apiKey).sort(), [key.apiKey, other.apiKey].sort());
  const { usage } = await (await service.admin(`GET /admin/keys/${key.apiKey}`)).json();
  assert.equal(usage[0].used, 6);
  const batch = (n) => service.sendAs(token, "POST /v1/geocoding/batch", JSON.stringify({ queries: Array(n).fill("x") }));
  assert.equal((await batch(3)).status, 403, "three more exceed the month");
  assert.equal((await batch(2)).status, 200);
  const disabled = await service.sendAs(otherToken, ONE);
  assert.deepEqual([disabled.status, (await disabled.json()).message], [403, "API key disabled"]);
  await service.token("", key);
  await persisted.kill(child);
});
