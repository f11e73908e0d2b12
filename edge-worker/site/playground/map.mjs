// The map of the playground in plain longitude and latitude: outlines from map.json, places as dots, and a cross with
// which the user picks a point.

const SVG = "http://www.w3.org/2000/svg";

/** Degrees by which an arrow key moves the cross, ten times as far with Shift. */
const STEP = 1;

const ARROWS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/** Draws the map. Calls `asked({ lat, lon })` with the point that the user picks. */
export function showMap(svg, { asked }) {
  const cross = svg.querySelector("#cross");
  const at = { lat: 20, lon: 0 };
  outlines(svg.querySelector("#land"));

  function move(lat, lon) {
    at.lat = Math.min(90, Math.max(-90, lat));
    at.lon = Math.min(180, Math.max(-180, lon));
    cross.toggleAttribute("hidden", false);
    cross.setAttribute("transform", `translate(${at.lon} ${-at.lat})`);
  }

  svg.addEventListener("click", (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    move(-point.y, point.x);
    asked({ ...at });
  });
  svg.addEventListener("keydown", (event) => {
    const arrow = ARROWS[event.key];
    if (arrow) {
      const step = event.shiftKey ? 10 * STEP : STEP;
      move(at.lat + arrow[1] * step, at.lon + arrow[0] * step);
    } else if (event.key === "Enter") {
      asked({ ...at });
    } else {
      return;
    }
    event.preventDefault();
  });

  return {
    /** Shows places, and the picked point. */
    mark(places, point) {
      const dots = places.map((place, rank) => dot(place, rank ? "mark" : "mark other", place.display_name));
      svg.querySelector("#marks").replaceChildren(...dots.reverse());
      if (point) move(point.lat, point.lon);
      else cross.toggleAttribute("hidden", true);
    },
  };
}

function dot({ lat, lon }, kind, name) {
  const circle = document.createElementNS(SVG, "circle");
  const title = document.createElementNS(SVG, "title");
  title.textContent = name;
  circle.append(title);
  for (const [key, value] of Object.entries({ cx: lon, cy: -lat, r: 1.6, class: kind })) circle.setAttribute(key, value);
  return circle;
}

async function outlines(land) {
  const response = await fetch("/playground/map.json");
  land.setAttribute("d", (await response.json()).path);
}
