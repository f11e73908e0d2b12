// Service worker of the playground: caches its files for offline visits. The npm package caches the packs of places.

const CACHE = "playground-1";

self.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  const isOwn = origin === location.origin && (pathname.startsWith("/playground/") || pathname === "/status/icon.svg");
  if (event.request.method === "GET" && isOwn && !pathname.endsWith(".bin")) event.respondWith(answer(event.request));
});

async function answer(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request);
    if (kept) return kept;
    throw error;
  }
}
