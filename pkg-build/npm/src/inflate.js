// Unpacks the index in a pack. `pkg-build/builder/src/pack.rs` writes packs and describes the format. The first bytes show
// what the input is: a compressed pack, a pack that a server has already decompressed, or a plain index.

import { fault } from "./fault.js";

const PACK = "TOPOPACK";

/** Bytes before the list of columns, and bytes per column in it. */
const HEAD = 12;
const ENTRY = 16;

/** Whether `bytes` are compressed. */
export function isCompressed(bytes) {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Returns the index in `bytes`. */
export async function inflated(bytes) {
  const plain = isCompressed(bytes) ? await unzipped(bytes) : bytes;
  const magic = String.fromCharCode(...plain.subarray(0, PACK.length));
  return magic === PACK ? inPlace(plain) : plain;
}

async function unzipped(bytes) {
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  try {
    return new Uint8Array(await new Response(plain).arrayBuffer());
  } catch (error) {
    throw damaged(error);
  }
}

/** Returns the index of a decompressed pack. Puts the bytes of each column's values side by side again. */
function inPlace(plain) {
  const view = new DataView(plain.buffer, plain.byteOffset, plain.byteLength);
  if (plain.length < HEAD) throw damaged();
  const count = view.getUint32(PACK.length, true);
  const body = HEAD + count * ENTRY;
  if (body > plain.length) throw damaged();
  const packed = plain.subarray(body);
  const index = packed.slice();
  for (let at = HEAD; at < body; at += ENTRY) {
    const [start, length, width, step] = [0, 4, 8, 12].map((field) => view.getUint32(at + field, true));
    const fits = start + length <= packed.length && width && length % width === 0;
    if (!fits || (step && (width !== 4 || start % 4))) throw damaged();
    const values = index.subarray(start, start + length);
    spread(packed.subarray(start, start + length), values, width);
    if (step) sum(new Int32Array(index.buffer, start, length / 4), step);
  }
  return index;
}

function spread(planes, values, width) {
  const count = planes.length / width;
  for (let byte = 0, from = 0; byte < width; byte += 1) {
    for (let to = byte, end = from + count; from < end; from += 1, to += width) values[to] = planes[from];
  }
}

/** Turns zigzag-coded differences into values. Assumes a little-endian machine, as all that run JavaScript are. */
function sum(words, step) {
  for (let at = 0; at < words.length; at += 1) {
    const difference = (words[at] >>> 1) ^ -(words[at] & 1);
    words[at] = at < step ? difference : (words[at - step] + difference) | 0;
  }
}

function damaged(cause) {
  return fault("invalid_index", "the pack is damaged or cut short: fetch it again", cause);
}
