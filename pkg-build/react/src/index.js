"use client";

// <toponym-autocomplete> as a component of React: props in place of attributes and properties, callbacks in place of events.

import { EVENTS, OBJECTS, SETTINGS, attributesOf } from "toponym/element";
import { createElement, forwardRef, useEffect, useImperativeHandle, useLayoutEffect, useRef } from "react";

/** `onChange` for `change`. */
const CALLBACKS = Object.fromEntries(EVENTS.map((type) => [type, `on${type[0].toUpperCase()}${type.slice(1)}`]));

/** Props that are set as properties of the element, when they change. */
const PROPERTIES = OBJECTS.filter((name) => name !== "place");

const OWN = new Set([...Object.keys(SETTINGS), ...OBJECTS, ...Object.values(CALLBACKS), "className"]);

// A server runs no effects, and older versions of React warn about this one there.
const useBeforePaint = typeof document === "undefined" ? useEffect : useLayoutEffect;

export const ToponymAutocomplete = forwardRef(function ToponymAutocomplete(props, ref) {
  const element = useRef(null);
  useImperativeHandle(ref, () => element.current, []);
  for (const name of PROPERTIES) useProperty(element, name, props[name]);
  usePlace(element, props.place);
  for (const type of EVENTS) useEvent(element, type, props[CALLBACKS[type]]);
  const others = Object.entries(props).filter(([name]) => !OWN.has(name));
  return createElement("toponym-autocomplete", { ...Object.fromEntries(others), ...attributesOf(props), class: props.className, ref: element });
});

/** Sets a property of the element when it changes, and takes it back. Options that say the same are not a change. */
function useProperty(element, name, value) {
  const isSet = useRef(false);
  useBeforePaint(() => {
    if (value === undefined && !isSet.current) return;
    isSet.current = value !== undefined;
    element.current[name] = value;
  }, [name === "options" ? JSON.stringify(value) : value]);
}

/** Shows the place of the page, unless it is there: what the user types without a choice must stay. */
function usePlace(element, place) {
  useBeforePaint(() => {
    if (place !== undefined && place !== element.current.place) element.current.place = place;
  }, [place]);
}

/** Listens for as long as the component is there. Always calls the newest listener, with the event's detail and the event. */
function useEvent(element, type, listener) {
  const newest = useRef(listener);
  useBeforePaint(() => {
    newest.current = listener;
  });
  useBeforePaint(() => {
    const { current } = element;
    const call = (event) => event.target === current && newest.current?.(event.detail, event);
    current.addEventListener(type, call);
    return () => current.removeEventListener(type, call);
  }, []);
}
