// Packs are stored compressed with gzip. A server may have declared that as a content encoding, so that what arrives is
// plain already; bytes tell by themselves what they are.

import { fault } from "./fault.js";

/** The index in `bytes`. */
export async function inflated(bytes) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  try {
    return new Uint8Array(await new Response(plain).arrayBuffer());
  } catch (error) {
    throw fault("invalid_index", "the pack is damaged or cut short: fetch it again", error);
  }
}
