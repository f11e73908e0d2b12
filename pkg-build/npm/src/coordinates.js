// Coordinates as people type or paste them.

/** A number of degrees, perhaps with minutes and seconds. */
const DEGREES = String.raw`([+-]?\d{1,3}(?:\.\d+)?)\s*(?:°\s*(?:(\d{1,2}(?:\.\d+)?)\s*['′’]\s*(?:(\d{1,2}(?:\.\d+)?)\s*(?:["″”]|''))?)?)?`;

const SIDE = String.raw`\s*([NSEWO])\s*`;

/** Between two angles. */
const BETWEEN = String.raw`\s*[,;\s]\s*`;

const AFTER_SIDES = new RegExp(`^${SIDE}${DEGREES}${BETWEEN}${SIDE}${DEGREES}\\s*$`, "i");

const BEFORE_SIDES = new RegExp(`^\\s*${DEGREES}(?:${SIDE})?${BETWEEN}${DEGREES}(?:${SIDE})?\\s*$`, "i");

/** O is west in French, Italian and Spanish. */
const SIDES = { N: ["lat", 1], S: ["lat", -1], E: ["lon", 1], W: ["lon", -1], O: ["lon", -1] };

/** Minutes of a degree, and seconds of a minute. */
const SIXTY = 60;

/** Reads a text as `{ lat, lon }`: `48.85, 2.35`, `48°51'N 2°21'E`. Undefined if it is something else, or no point of the earth. */
export function readCoordinates(text) {
  const angles = anglesAfterSides(text) ?? anglesBeforeSides(text);
  if (!angles) return undefined;
  const [first, second] = angles;
  if (!first || !second || first.axis === second.axis) return undefined;
  const { lat, lon } = { [first.axis]: first.degrees, [second.axis]: second.degrees };
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : undefined;
}

function anglesAfterSides(text) {
  const found = AFTER_SIDES.exec(text);
  if (!found) return undefined;
  const [, side, degrees, minutes, seconds, otherSide, ...other] = found;
  return [angle(side, [degrees, minutes, seconds], "lat"), angle(otherSide, other, "lon")];
}

function anglesBeforeSides(text) {
  const found = BEFORE_SIDES.exec(text);
  if (!found) return undefined;
  return [angle(found[4], found.slice(1, 4), "lat"), angle(found[8], found.slice(5, 8), "lon")];
}

/** Reads one angle. Without a side of the world, latitude comes first. */
function angle(side, [degrees, minutes = 0, seconds = 0], usual) {
  if (minutes >= SIXTY || seconds >= SIXTY) return undefined;
  const [axis, sign] = SIDES[side?.toUpperCase()] ?? [usual, 1];
  const size = Math.abs(degrees) + minutes / SIXTY + seconds / SIXTY ** 2;
  return { axis, degrees: sign * (degrees.startsWith("-") ? -size : size) };
}
