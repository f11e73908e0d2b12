// The name of a place apart from the areas that it lies in. Names have commas of their own: “Washington, D.C.”.

/** Without `name`, which not every question asks for, all of it is the name. */
export function named({ name, display_name: all }) {
  if (!name || !all.startsWith(name)) return { name: all, areas: "" };
  return { name, areas: all.slice(name.length).replace(/^, /, "") };
}
