// The box of a place in the order of the package. The engine and the service have the contract's `boundingbox`: south, north, west,
// east.

/** Adds `bbox`, west, south, east, north, to a place or to each of a list. Returns anything else as it is. */
export function boxed(answer) {
  if (Array.isArray(answer)) return answer.map(boxed);
  if (!answer?.boundingbox) return answer;
  const [south, north, west, east] = answer.boundingbox;
  return { ...answer, bbox: [west, south, east, north] };
}
