// The question as JavaScript for the package `toponym`, and values as JavaScript.

import { packageCall } from "../question.mjs";
import { bracketed } from "./text.mjs";

/** A value as JavaScript is written by hand. */
export function literal(value, quoted = JSON.stringify) {
  if (Array.isArray(value)) return `[${value.map((one) => literal(one, quoted)).join(", ")}]`;
  if (typeof value === "object") return bracketed("{", Object.entries(value).map(([key, one]) => `${key}: ${literal(one, quoted)}`), "}", { space: " " });
  return typeof value === "string" ? quoted(value) : String(value);
}

export function javascript(asked) {
  const [method, ...given] = packageCall(asked);
  const call = `geo.${method}(${given.filter((one) => !isEmpty(one)).map((one) => literal(one)).join(", ")})`;
  const isGeoJson = asked.parameters.format === "geojson";
  const more = isGeoJson ? 'import { featureCollection } from "toponym/geojson";\n' : "";
  return `import { Geocoder } from "toponym";\n${more}\nconst geo = await Geocoder.load({ packs: ["core"] });\nconst found = ${isGeoJson ? `featureCollection(${call})` : call};`;
}

const isEmpty = (value) => typeof value === "object" && Object.keys(value).length === 0;
