"use client";

// <toponym-autocomplete> as a component of React: props in place of properties, callbacks in place of events.

import "toponym/element";
import { createElement, forwardRef, useEffect, useImperativeHandle, useLayoutEffect, useRef } from "react";

/** Search options, which the element takes together. */
const OPTIONS = ["limit", "countries", "types", "bbox", "within", "focus", "fields"];

/** Flags: React 19 sets them as properties, and older versions would write an attribute "false". */
const FLAGS = ["required", "disabled", "preload"];

// A server runs no effects, and older versions of React warn about this one there.
const useBeforePaint = typeof document === "undefined" ? useEffect : useLayoutEffect;

export const ToponymAutocomplete = forwardRef(function ToponymAutocomplete(props, ref) {
  const { onChange, onReady, onError, geocoder, messages, place, value, className, ...rest } = props;
  const element = useRef(null);
  useImperativeHandle(ref, () => element.current, []);
  useProperty(element, "geocoder", geocoder);
  useProperty(element, "messages", messages);
  const options = pick(rest, OPTIONS);
  useProperty(element, "options", options, JSON.stringify(options));
  useProperty(element, "value", value);
  usePlace(element, place);
  useEvent(element, "change", (event) => onChange?.(event.detail));
  useEvent(element, "ready", () => onReady?.());
  useEvent(element, "error", (event) => onError?.(event.detail));
  return createElement("toponym-autocomplete", { ...attributes(rest), class: className, ref: element });
});

/** Sets a property of the element when it changes: a new value, or a new `key` of the value. */
function useProperty(element, name, value, key = value) {
  useBeforePaint(() => {
    if (value !== undefined) element.current[name] = value;
  }, [key]);
}

/** Shows the place of the page, unless it is there: what the user types without a choice must stay. */
function usePlace(element, place) {
  useBeforePaint(() => {
    if (place !== undefined && place !== element.current.place) element.current.place = place;
  }, [place]);
}

/** Listens for as long as the component is there. Always calls the newest listener. */
function useEvent(element, type, listener) {
  const newest = useRef(listener);
  useBeforePaint(() => {
    newest.current = listener;
  });
  useBeforePaint(() => {
    const { current } = element;
    const call = (event) => event.target === current && newest.current(event);
    current.addEventListener(type, call);
    return () => current.removeEventListener(type, call);
  }, []);
}

function pick(props, names) {
  return Object.fromEntries(names.filter((name) => props[name] !== undefined).map((name) => [name, props[name]]));
}

/** All that is left are attributes. */
function attributes(props) {
  const given = Object.entries(props).filter(([name]) => !OPTIONS.includes(name));
  return Object.fromEntries(given.map(([name, value]) => [name, attribute(name, value)]));
}

function attribute(name, value) {
  if (FLAGS.includes(name)) return value ? true : undefined;
  // `recent` may have a value, the name of a list.
  if (name === "recent") return value === true ? "" : value === false ? undefined : value;
  return value;
}
