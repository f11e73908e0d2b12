// The style sheet of <toponym-autocomplete>. Pages change it by custom properties, parts and states. It uses logical sides,
// so that it also fits pages written from right to left.

const STYLE = `
:host {
  /* Colours that fit light and dark pages, for browsers without the functions below. */
  --_accent: var(--toponym-accent, LinkText);
  --_background: var(--toponym-background, Field);
  --_color: var(--toponym-color, FieldText);
  --_border: var(--toponym-border, #808080);
  --_radius: var(--toponym-radius, 0.5rem);
  --_active: var(--toponym-active, rgb(128 128 128 / 0.2));
  --_invalid: var(--toponym-invalid, #dd3b30);
  display: inline-block;
  position: relative;
  inline-size: 20rem;
  max-inline-size: 100%;
  font: inherit;
  text-align: start;
}
@supports (color: light-dark(#000, #fff)) {
  :host {
    --_accent: var(--toponym-accent, light-dark(#2457c5, #8fb3ff));
    --_invalid: var(--toponym-invalid, light-dark(#b3261e, #ff9f97));
  }
}
@supports (color: color-mix(in srgb, #000, #fff)) {
  :host {
    --_border: var(--toponym-border, color-mix(in srgb, var(--_color) 55%, transparent));
    --_active: var(--toponym-active, color-mix(in srgb, var(--_accent) 16%, transparent));
  }
}
:host([hidden]) { display: none; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
input {
  inline-size: 100%;
  min-block-size: 2.75rem;
  padding: 0.5rem 0.75rem;
  /* Smaller letters make phones zoom into the page. */
  font: inherit;
  font-size: max(1em, 16px);
  color: var(--_color);
  background: var(--_background);
  border: 1px solid var(--_border);
  border-radius: var(--_radius);
  text-overflow: ellipsis;
}
/* An empty field with dir="auto" would be written from left to right. */
input:placeholder-shown { direction: inherit; }
input:focus-visible { outline: 2px solid var(--_accent); outline-offset: 1px; }
input:disabled { opacity: 0.55; }
input[aria-invalid="true"] { border-color: var(--_invalid); box-shadow: inset 0 0 0 1px var(--_invalid); }
/* Room for the button at the end. */
:host([locate]) input, input:not(:placeholder-shown) { padding-inline-end: 2.75rem; }
[part="reset"], [part="locate"] {
  position: absolute;
  inset-block: 0;
  inset-inline-end: 0;
  inline-size: 2.75rem;
  padding: 0;
  font: inherit;
  font-size: 1.25em;
  line-height: 1;
  color: color-mix(in srgb, var(--_color) 72%, transparent);
  background: none;
  border: 0;
  cursor: pointer;
}
[part="popup"] {
  position: fixed;
  inset: auto;
  margin: 0;
  z-index: 1000;
  padding: 0.25rem;
  max-block-size: min(24rem, 60vh);
  overflow: auto;
  overscroll-behavior: contain;
  color: var(--_color);
  background: var(--_background);
  border: 1px solid var(--_border);
  border-radius: var(--_radius);
  box-shadow: 0 0.5rem 1.5rem rgb(0 0 0 / 0.2);
}
ul { margin: 0; padding: 0; list-style: none; }
li, [part="message"], [part="clear"] {
  padding: 0.6rem 0.5rem;
  min-block-size: 2.75rem;
  border-radius: calc(var(--_radius) - 0.2rem);
}
li {
  /* Names of either direction begin on the side on which the page does. */
  text-align: -webkit-match-parent;
  text-align: match-parent;
  cursor: pointer;
  touch-action: manipulation;
  -webkit-tap-highlight-color: transparent;
}
li[aria-selected="true"] { background: var(--_active); outline: 2px solid var(--_accent); outline-offset: -2px; }
[part="icon"] { display: inline-block; inline-size: 1.6em; }
[part="heading"] { padding: 0.4rem 0.5rem 0.2rem; font-size: 0.85em; opacity: 0.8; }
[part~="match"] { font-weight: 700; text-decoration: underline; text-decoration-color: var(--_accent); text-underline-offset: 0.2em; }
[part="areas"], [part="matched"] { color: color-mix(in srgb, currentColor 72%, transparent); }
[part="message"][data-state="failed"], [part="message"][data-state="offline"] { color: var(--_invalid); }
[part="message"][data-state="loading"]::before {
  content: "";
  display: inline-block;
  inline-size: 0.9em;
  block-size: 0.9em;
  margin-inline-end: 0.6em;
  vertical-align: -0.1em;
  border: 2px solid var(--_accent);
  border-block-start-color: transparent;
  border-radius: 50%;
  animation: turn 0.8s linear infinite;
}
@keyframes turn { to { transform: rotate(1turn); } }
[part="clear"] {
  display: block;
  inline-size: 100%;
  font: inherit;
  text-align: start;
  color: var(--_accent);
  background: none;
  border: 0;
  cursor: pointer;
}
[part="clear"]:focus-visible, [part="locate"]:focus-visible { outline: 2px solid var(--_accent); outline-offset: -2px; }
::slotted([slot="attribution"]) { display: block; padding: 0.4rem 0.5rem; font-size: 0.8em; }
@media (hover: hover) { li:hover, [part="clear"]:hover { background: var(--_active); } }
/* Large enough for a finger, whatever the letters of the page measure. */
@media (pointer: coarse) { input, li, [part="clear"] { min-block-size: max(2.75rem, 44px); } }
@media (prefers-reduced-motion: reduce) { [part="message"]::before { animation: none !important; } }
@media (forced-colors: active) {
  li[aria-selected="true"] { outline-color: Highlight; forced-color-adjust: none; color: HighlightText; background: Highlight; }
  [part="message"]::before { border-color: CanvasText; border-block-start-color: Canvas; }
  [part="popup"] { border-color: CanvasText; }
}
.quiet {
  position: absolute;
  inline-size: 1px;
  block-size: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
`;

let styled;

/** Returns the sheet that all elements share. */
export function sheet() {
  if (!styled) (styled = new CSSStyleSheet()).replaceSync(STYLE);
  return styled;
}
