// Tests the life of a key through the admin routes, on workerd, with the storage of the objects.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./harness.mjs";

const FORWARD = "GET /v1/geocoding/forward?query=Paris";

let service;
before(async () => (service = await start()));
after(() => service.stop());

async function expect(response, status, message) {
  const text = await response.text();
  const body = text && JSON.parse(text);
  assert.deepEqual([response.status, body.message], [status, message], text);
  return body;
}

test("a key from its creation to its end", async () => {
  const key = await service.create("free");
  const path = `/admin/keys/${key.apiKey}`;
  const token = await service.token("", key);
  const forward = (headers) => service.send(FORWARD, { headers: { authorization: `Bearer ${token}`, ...headers } });
  const patch = async (change) => expect(await service.admin(`PATCH ${path}`, change), 200);
  await expect(await forward(), 200);

  await patch({ enabled: false });
  await service.evict(key.apiKey);
  await expect(await forward(), 403, "API key disabled");
  await patch({ enabled: true, plan: "growth" });
  assert.equal((await forward()).headers.get("x-ratelimit-limit"), "600");

  await patch({ restrictions: { ips: ["198.51.100.0/24"], domains: ["*.shop.test"] } });
  const page = { origin: "https://www.shop.test", "cf-connecting-ip": "198.51.100.7" };
  await expect(await forward(page), 200);
  await expect(await forward({ ...page, "cf-connecting-ip": "203.0.113.7" }), 403, "IP not allowed");
  await expect(await forward({ ...page, origin: "https://evil.test" }), 403, "Domain not allowed");
  await expect(await forward({ "cf-connecting-ip": "198.51.100.7", "x-forwarded-for": "198.51.100.7" }), 403, "Domain not allowed");
  await patch({ restrictions: {} });

  const { apiSecret } = await expect(await service.admin(`POST ${path}/secret`), 200);
  await assert.rejects(service.token("", key), /401 Invalid API secret/);
  await service.token("", { ...key, apiSecret });
  await expect(await forward(), 200);

  const { keys } = await expect(await service.admin("GET /admin/keys"), 200);
  assert.ok(keys.some((listed) => listed.apiKey === key.apiKey));
  await expect(await service.admin(`DELETE ${path}`), 204);
  await expect(await forward(), 401, "Invalid token");
  await expect(await service.admin(`GET ${path}`), 404, "No such API key");
  await service.evict(key.apiKey);
  await assert.rejects(service.token("", { ...key, apiSecret }), /401 Invalid API key/);
});

test("a key that is placed where it is used", async () => {
  const key = await service.create("enterprise", { location: "weur" });
  const shown = await expect(await service.admin(`GET /admin/keys/${key.apiKey}`), 200);
  assert.equal(shown.location, "weur");
  await expect(await service.sendAs(await service.token("", key), FORWARD), 200);
  const refused = await service.admin("POST /admin/keys", { name: "n", account: "a", plan: "free", location: "Paris" });
  assert.equal(refused.status, 400);
  assert.match((await refused.json()).message, /^request body: location "Paris" must be one of wnam \(Western North America\), /);
});

test("nobody but the operator", async () => {
  await expect(await service.send("GET /admin/keys"), 401, "Missing Authorization header");
  await expect(await service.sendAs("wrong", "POST /admin/keys"), 401, "Invalid token");
});
