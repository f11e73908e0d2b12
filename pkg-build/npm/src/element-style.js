// The style sheet of <toponym-autocomplete>. Pages change it by custom properties and parts. It uses logical sides, so
// that it also fits pages written from right to left.

export const STYLE = `
:host {
  --_accent: var(--toponym-accent, #2457c5);
  --_background: var(--toponym-background, Field);
  --_color: var(--toponym-color, FieldText);
  --_border: var(--toponym-border, color-mix(in srgb, var(--_color) 35%, transparent));
  --_radius: var(--toponym-radius, 0.5rem);
  --_active: var(--toponym-active, color-mix(in srgb, var(--_accent) 16%, transparent));
  display: inline-block;
  position: relative;
  inline-size: 20rem;
  max-inline-size: 100%;
  font: inherit;
  text-align: start;
}
:host([hidden]) { display: none; }
* { box-sizing: border-box; }
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
}
input:focus-visible { outline: 2px solid var(--_accent); outline-offset: 1px; }
input:disabled { opacity: 0.55; }
ul {
  position: absolute;
  inset-block-start: calc(100% + 0.25rem);
  inset-inline: 0;
  z-index: 1000;
  margin: 0;
  padding: 0.25rem;
  max-block-size: min(24rem, 60vh);
  overflow: auto;
  overscroll-behavior: contain;
  list-style: none;
  color: var(--_color);
  background: var(--_background);
  border: 1px solid var(--_border);
  border-radius: var(--_radius);
  box-shadow: 0 0.5rem 1.5rem rgb(0 0 0 / 0.2);
}
ul[hidden] { display: none; }
li {
  padding: 0.6rem 0.5rem;
  min-block-size: 2.75rem;
  border-radius: calc(var(--_radius) - 0.2rem);
  cursor: pointer;
  touch-action: manipulation;
  -webkit-tap-highlight-color: transparent;
}
li[aria-selected="true"] { background: var(--_active); outline: 2px solid var(--_accent); outline-offset: -2px; }
@media (hover: hover) { li:hover { background: var(--_active); } }
[part="name"] { font-weight: 600; }
[part="areas"] { opacity: 0.8; }
.quiet {
  position: absolute;
  inline-size: 1px;
  block-size: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
`;
