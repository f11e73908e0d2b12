// The search field: a component of the browser, which the server renders too.

"use client";

import { useEffect, useRef, useState } from "react";
import "toponym/element";

export default function Search() {
  const field = useRef(null);
  const [place, setPlace] = useState(null);
  useEffect(() => {
    const element = field.current;
    const chosen = ({ detail }) => setPlace(detail);
    element.addEventListener("change", chosen);
    return () => element.removeEventListener("change", chosen);
  }, []);
  return (
    <>
      <label htmlFor="where">Where to?</label>
      <toponym-autocomplete id="where" name="where" ref={field} />
      <output id="chosen" htmlFor="where">
        {place
          ? `${place.name} (${place.kind}, ${place.country_code}) is place ${place.place_id}, at ${place.lat}, ${place.lon}.`
          : "Type a few letters of a place."}
      </output>
    </>
  );
}
