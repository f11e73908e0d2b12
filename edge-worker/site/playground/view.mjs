// The view with which the map starts. The picture that the page shows before is drawn from the same place.

/** Longitude and latitude of the middle. */
export const START = [12, 28];

/** The radius of the globe as a share of the shorter side of what the panel leaves free. */
export const SHARE = 0.44;

/** The distance of the camera from the ground, as a multiple of the map's height. */
export const CAMERA = 1.5;

/** The radius of a globe that is seen with the radius `seen` from a camera so far away: the camera sees less than half of it. */
export function radiusOf(seen, camera) {
  return seen ** 2 / camera + Math.hypot(seen ** 2 / camera, seen);
}
