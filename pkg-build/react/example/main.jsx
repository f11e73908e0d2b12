// A form of React with the search field: the chosen place is state, and a button sets it.

import React, { StrictMode, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { ToponymAutocomplete } from "toponym-react";

const OSLO = { display_name: "Oslo, Norway", lat: 59.91273, lon: 10.74609, country: "Norway", type: "city" };

function Trip() {
  const [place, setPlace] = useState(null);
  const [isOnlyFrance, restrict] = useState(false);
  const field = useRef(null);
  return (
    <main>
      <h1>A trip</h1>
      <label htmlFor="where">Where to?</label>{" "}
      <ToponymAutocomplete
        ref={field}
        id="where"
        name="where"
        className="wide"
        limit={4}
        required
        countries={isOnlyFrance ? ["FR"] : undefined}
        place={place}
        onChange={setPlace}
      >
        <small slot="attribution">Places: GeoNames and others</small>
      </ToponymAutocomplete>
      <p>
        <label><input type="checkbox" checked={isOnlyFrance} onChange={() => restrict(!isOnlyFrance)} /> only France</label>{" "}
        <button onClick={() => setPlace(OSLO)}>Oslo</button>{" "}
        <button onClick={() => setPlace(null)}>Nowhere</button>{" "}
        <button onClick={() => field.current.focus()}>Search</button>
      </p>
      <output id="chosen" htmlFor="where">{place ? `${place.display_name}: ${place.lat}, ${place.lon}` : "no place"}</output>
    </main>
  );
}

createRoot(document.querySelector("#root")).render(<StrictMode><Trip /></StrictMode>);
