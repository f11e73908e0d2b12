// The part “Options” of the playground: controls by the names of the parameters that they set.

/**
 * The controls in `form`. Several of one name make a list: the boxes that are checked, and a text with more. `changed()` is
 * called after the user has changed one.
 */
export function optionsOf(form, { changed }) {
  form.addEventListener("change", changed);
  form.addEventListener("submit", (event) => event.preventDefault());
  // The controls are empty only after the event.
  form.addEventListener("reset", () => setTimeout(changed));
  const controls = (name) => [...form.elements].filter((control) => control.name === name);
  const texts = (name) => controls(name).filter(({ type, checked }) => type !== "checkbox" || checked).map(({ value }) => value.trim());

  return {
    /** What is set, by the name of its parameter. The limit of `reverse` has a control of its own. `near` is not a parameter. */
    read(route) {
      const names = new Set([...form.elements].map(({ name }) => name).filter(Boolean));
      const set = Object.fromEntries([...names].map((name) => [name, texts(name).filter(Boolean).join(",")]));
      const { nearest, near, ...others } = set;
      return { ...others, limit: route === "reverse" ? nearest : set.limit };
    },
    /** Whether places near the map's centre are preferred. */
    get isNear() {
      return form.elements.near.checked;
    },
    /** How many filters are set. */
    get count() {
      const { lang, ...filters } = this.read("forward");
      return Object.values({ ...filters, nearest: texts("nearest").join("") }).filter(Boolean).length;
    },
    /** Shows the options of a question. Returns whether there are any. */
    show(route, options) {
      const given = { ...options };
      if (route === "reverse") {
        given.nearest = given.limit;
        delete given.limit;
      }
      for (const control of form.elements) {
        if (control.name && control.name !== "near") fill(control, given[control.name] ?? "", controls(control.name));
      }
      form.elements.near.checked = "lat" in options;
      return Object.keys(options).some((name) => !["lang", "lat", "lon"].includes(name));
    },
  };
}

/** Sets a control of a group to its part of a value. */
function fill(control, value, group) {
  const boxes = group.filter(({ type }) => type === "checkbox");
  const values = value.split(",");
  if (control.options && ![...control.options].some((option) => option.value === value)) control.add(new Option(value, value));
  if (boxes.includes(control)) control.checked = values.includes(control.value);
  else control.value = values.filter((one) => !boxes.some((box) => box.value === one)).join(",");
}
