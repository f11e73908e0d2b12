// A search field of one's own in React: usePlaces finds the places, downshift is the combobox, and the page says how it looks.

import React, { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { useCombobox } from "downshift";
import { usePlaces } from "toponym-react/use-places";

function PlaceBox({ label, onChange }) {
  const [text, setText] = useState("");
  const { items, status } = usePlaces(text, { limit: 5 });
  const box = useCombobox({
    items,
    itemToString: (place) => place?.display_name ?? "",
    onInputValueChange: ({ inputValue }) => setText(inputValue),
    onSelectedItemChange: ({ selectedItem }) => onChange(selectedItem),
  });
  return (
    <div>
      <label {...box.getLabelProps()}>{label}</label> <input {...box.getInputProps()} />
      <ul {...box.getMenuProps()}>
        {box.isOpen &&
          items.map((place, index) => (
            <li key={place.place_id} {...box.getItemProps({ item: place, index })}>
              {index === box.highlightedIndex ? <strong>{place.display_name}</strong> : place.display_name}
            </li>
          ))}
      </ul>
      {status === "failed" && <p role="alert">Places cannot be loaded</p>}
    </div>
  );
}

function Trip() {
  const [from, setFrom] = useState(null);
  const [to, setTo] = useState(null);
  return (
    <main>
      <h1>A trip</h1>
      <PlaceBox label="From" onChange={setFrom} />
      <PlaceBox label="To" onChange={setTo} />
      <output>{`${from?.display_name ?? "somewhere"} to ${to?.display_name ?? "somewhere"}`}</output>
    </main>
  );
}

createRoot(document.querySelector("#root")).render(<StrictMode><Trip /></StrictMode>);
