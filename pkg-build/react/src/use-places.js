"use client";

// Suggestions for a text as a hook of React, for fields of one's own.

import { IDLE, Places } from "toponym/places";
import { useEffect, useRef, useState } from "react";

/** Returns `{ items, status, error }` for a text. A server renders none. */
export function usePlaces(text, options = {}) {
  const [state, setState] = useState(IDLE);
  const places = useRef(null);
  useEffect(() => {
    const own = (places.current = new Places(setState));
    return () => own.end();
  }, []);
  const { geocoder, ...others } = options;
  // An equal object of the next rendering is not a change.
  useEffect(() => places.current.search(text, options), [text, geocoder, JSON.stringify(others)]);
  return state;
}
