// Questions of the playground by their addresses, which the tests ask by the code that it offers to copy.

import { question, readAddress } from "../../edge-worker/site/playground/question.mjs";

/** The user's language, for `lang=auto`. */
export const LANGUAGE = "de";

const FRANCE = 3017382;

/** By a name for the tests. */
export const QUESTIONS = Object.fromEntries(Object.entries({
  text: "forward?query=Springfield",
  unfinished: "autocomplete?q=springf",
  filters: "forward?query=Springfield&types=city,county&countrycodes=us,ca&bbox=-100,30,-70,45&limit=3&lang=fr&fields=name,iso_3166_2",
  "unfinished, with filters": "autocomplete?q=pari&types=airport,city&countrycodes=fr,us&lang=de&limit=4",
  near: "forward?query=Springfield&lat=39.8&lon=-89.6&limit=2",
  within: `forward?query=Saint-Denis&within=${FRANCE}&types=city&limit=12`,
  "unfinished, within and near": `autocomplete?q=saint&within=${FRANCE}&lat=48.9&lon=2.4&fields=population`,
  "a box over the date line": "forward?query=Suva&bbox=177,-20,-178,-15",
  commas: "forward?query=Washington,+D.C.,+USA",
  "quotation marks": `forward?query=${encodeURIComponent("L'Aquila \"città\" \\ <b> ${x} $HOME `ls`")}`,
  "like an option": "forward?query=-san+jose&limit=1",
  "the user's language": "forward?query=Munich&lang=auto",
  GeoJSON: "forward?query=cairo&format=geojson&lang=ar&limit=2",
  fields: "forward?city=Paris&state=TX",
  "fields, with filters": "forward?city=Paris&country=US&types=city&countrycodes=us&lang=es&fields=population",
  point: "reverse?lat=48.8584&lon=2.2945",
  "point, in a language": "reverse?lat=-33.92&lon=18.42&lang=auto&fields=timezone",
  "points nearby": "reverse?lat=48.8584&lon=2.2945&types=station,landmark&radius=20000&limit=3&lang=fr",
  "point, as GeoJSON": "reverse?lat=40.71&lon=-74.01&countrycodes=us&format=geojson",
  id: "place/2988507?lang=ja",
  "id, as GeoJSON": "place/2988507?format=geojson",
  code: "place?ref=iata:CDG&fields=codes,population",
}).map(([name, path]) => [name, asked(path)]));

/** As the page asks it. */
function asked(path) {
  const { route, own, options } = readAddress(`/v1/geocoding/${path}`);
  return question(route, own, options);
}
