// A Worker for wrangler on this machine, which hands the operations of a bucket on: bucket.mjs starts it. It admits only that
// process.
//
//     GET /?prefix=&cursor=   lists objects       PUT /NAME     writes one, if it arrives whole
//     GET /NAME               reads one           DELETE /      deletes those in a list of names

export default {
  async fetch(request, { PLACES, SECRET }) {
    if (request.headers.get("authorization") !== SECRET) return new Response(null, { status: 403 });
    const { pathname, searchParams } = new URL(request.url);
    const name = decodeURIComponent(pathname.slice(1));
    try {
      if (request.method === "PUT") {
        const httpMetadata = { contentType: "application/octet-stream" };
        await PLACES.put(name, request.body, { md5: request.headers.get("x-md5"), httpMetadata });
        return new Response();
      }
      if (request.method === "DELETE") return new Response(await PLACES.delete(await request.json()));
      if (name) return new Response((await PLACES.get(name)).body);
      const { objects, truncated, cursor } = await PLACES.list(Object.fromEntries(searchParams));
      return Response.json({ objects: objects.map(({ key, etag }) => [key, etag]), cursor: truncated ? cursor : undefined });
    } catch (error) {
      return new Response(error.message, { status: 500 });
    }
  },
};
