// Service worker of the playground: keeps its files for offline visits. The npm package keeps the packs of places itself.

const CACHE = "playground-3";

/** Answered from the cache first: their addresses change with their content. */
const NAMED_AFTER_CONTENT = /^\/playground\/(tiles|maplibre)\//;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(Promise.all([self.clients.claim(), forgetOthers()])));

self.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  const isOwn = origin === location.origin && (pathname === "/" || pathname.startsWith("/playground/") || pathname === "/status/icon.svg");
  if (event.request.method !== "GET" || !isOwn || pathname.endsWith(".bin")) return;
  event.respondWith(NAMED_AFTER_CONTENT.test(pathname) ? kept(event.request) : fresh(event.request));
});

/** From the network; without one, as it was kept. */
async function fresh(request) {
  try {
    return await keep(request, await fetch(request));
  } catch (error) {
    const known = await caches.match(request);
    if (known) return known;
    throw error;
  }
}

/** As it was kept, otherwise from the network. */
async function kept(request) {
  return (await caches.match(request)) ?? keep(request, await fetch(request));
}

async function keep(request, response) {
  if (response.ok) await (await caches.open(CACHE)).put(request, response.clone());
  return response;
}

async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("playground-") && name !== CACHE).map((name) => caches.delete(name)));
}
