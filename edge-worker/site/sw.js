// Service worker of the playground: keeps its files for offline visits. The npm package keeps the packs of places itself. What
// the browser cannot keep, for lack of room or as part of a file, is answered all the same.

const CACHE = "playground-4";

/** Addresses that change with their content: they are answered from the cache first. */
const NAMED_AFTER_CONTENT = /^\/playground\/(tiles|maplibre)\/|^\/playground\/[^/]+-[A-Z0-9]{8}\.js$/;

/** The beginnings of those of this build; the script that makes the page writes them. */
const OF_THIS_BUILD = CURRENT;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(Promise.all([self.clients.claim(), forgetCaches(), forgetFiles()])));

self.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  const isOwn = origin === location.origin && (pathname === "/" || pathname.startsWith("/playground/") || pathname === "/status/icon.svg");
  if (event.request.method !== "GET" || !isOwn || pathname.endsWith(".bin")) return;
  event.respondWith(NAMED_AFTER_CONTENT.test(pathname) ? kept(event) : fresh(event));
});

/** From the network; without one, as it was kept. */
async function fresh(event) {
  try {
    return await fetched(event);
  } catch (error) {
    const known = await caches.match(event.request, { cacheName: CACHE });
    if (known) return known;
    throw error;
  }
}

/** As it was kept, otherwise from the network: its address changes with its content. */
async function kept(event) {
  return (await caches.match(event.request, { cacheName: CACHE })) ?? fetched(event);
}

/** From the network, and kept for later beside. */
async function fetched(event) {
  const response = await fetch(event.request);
  // Not a part of a file, 206, which no cache takes.
  if (response.status === 200) event.waitUntil(keep(event.request, response.clone()).catch(() => {}));
  return response;
}

async function keep(request, response) {
  const cache = await caches.open(CACHE);
  await cache.put(request, response);
}

/** Those of earlier versions of this file. */
async function forgetCaches() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("playground-") && name !== CACHE).map((name) => caches.delete(name)));
}

/** Those of earlier builds: each has other names. */
async function forgetFiles() {
  const cache = await caches.open(CACHE);
  const isOld = ({ url }) => {
    const { pathname } = new URL(url);
    return NAMED_AFTER_CONTENT.test(pathname) && !OF_THIS_BUILD.some((start) => pathname.startsWith(start));
  };
  const kept = await cache.keys();
  await Promise.all(kept.filter(isOld).map((request) => cache.delete(request)));
}
