// What a geocoder says of its packs.

/** Of several packs title and date of the first, and each line of all once. */
export function ofAll(packs) {
  const [{ title, data_date }] = packs;
  return { title, data_date, attribution: [...new Set(packs.flatMap(({ attribution }) => attribution))] };
}
