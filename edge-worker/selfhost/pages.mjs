// The pages as the platform's assets serve them: `/` is index.html, with a type, an ETag, and the headers of `_headers`.

/** A binding like that of `[assets]` in wrangler.toml. */
export class Pages {
  #disk;
  #pages;

  /** `disk` is workerd's service of the folder; `pages` are its files by path: see site.mjs. */
  constructor(disk, pages) {
    this.#disk = disk;
    this.#pages = new Map(Object.entries(pages));
  }

  /** Returns the page of a GET or HEAD, a request or an address; 404 where there is none. */
  async fetch(asked) {
    const request = new Request(asked);
    const url = new URL(request.url);
    const page = this.#pages.get(url.pathname);
    if (!page) return new Response(null, { status: 404 });
    const headers = new Headers(page.headers);
    if (page.redirect) {
      headers.set("location", page.redirect + url.search);
      return new Response(null, { status: page.status, headers });
    }
    if (isKnown(request.headers.get("if-none-match"), headers.get("etag"))) return new Response(null, { status: 304, headers });
    const isHead = request.method === "HEAD";
    const file = await this.#disk.fetch(`https://disk.invalid/${page.file}`, { method: isHead ? "HEAD" : "GET" });
    if (!file.ok) return new Response(null, { status: 404 });
    headers.set("content-length", file.headers.get("content-length"));
    return new Response(isHead ? null : file.body, { headers });
  }
}

/** Whether the caller has the page already. A proxy that compresses it makes its tag a weak one. */
function isKnown(tags, own) {
  return (tags ?? "").split(",").some((tag) => tag.trim().replace(/^W\//, "") === own);
}
