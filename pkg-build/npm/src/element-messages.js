// The texts that users of <toponym-autocomplete> see or hear. Its property `messages` replaces them.

export const MESSAGES = {
  label: "Place",
  loading: "Loading places",
  failed: "Places cannot be loaded",
  offline: "You are offline",
  none: "No place found",
  count: (count) => (count === 1 ? "1 suggestion" : `${count} suggestions`),
  unlocated: "Your position is not available",
  required: "Choose a place from the list",
  recent: "Recent places",
  clear: "Clear recent places",
  reset: "Clear",
  locate: "Where I am",
};
