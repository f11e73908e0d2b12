// The view with which the map starts. The picture that the page shows before shows the same.

/** Longitude and latitude of the middle. */
export const START = [12, 28];

/** The radius of the globe as a share of the shorter side of what the panel leaves free. */
export const SHARE = 0.44;
