// Where answers come from: places in the page, or the service if the address of the page names one, as in
// `?service=http://127.0.0.1:8787&token=...`. A page in earnest gets its tokens from its own server.

import { HttpGeocoder } from "toponym/http";
import { GeocoderWorker } from "toponym/worker";

export async function source() {
  const asked = new URLSearchParams(location.search);
  if (!asked.has("service")) return GeocoderWorker.load();
  return new HttpGeocoder(asked.get("service"), { token: () => asked.get("token") });
}
