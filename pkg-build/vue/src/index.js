// <toponym-autocomplete> as a component of Vue: props in place of attributes and properties, and `v-model` for the chosen place.

import { EVENTS, OBJECTS, SETTINGS, attributesOf } from "toponym/element";
import { defineComponent, h, onMounted, ref, toRaw, watch } from "vue";

/** Props that are set as properties of the element. What is not set keeps its default. */
const PROPERTIES = OBJECTS.filter((name) => name !== "place");

/** Of these Vue reads `required` and `required=""` as true, and what is not there as undefined. */
const SWITCH = { type: [Boolean, String], default: undefined };

const PROPS = Object.fromEntries(
  [...Object.keys(SETTINGS), ...PROPERTIES].map((name) => [name, SETTINGS[name]?.without === false ? SWITCH : null]),
);

export const ToponymAutocomplete = defineComponent({
  name: "ToponymAutocomplete",
  props: { ...PROPS, modelValue: null },
  emits: ["update:modelValue", ...EVENTS],
  setup(props, { emit, expose, slots }) {
    const element = ref(null);
    expose({ element });
    showPlace(props, element);
    const fire = (type, event) => {
      if (event.target !== element.value) return;
      if (type === "change") emit("update:modelValue", event.detail);
      emit(type, event.detail, event);
    };
    const listeners = Object.fromEntries(EVENTS.map((type) => [`on${type[0].toUpperCase()}${type.slice(1)}`, (event) => fire(type, event)]));
    return () => h("toponym-autocomplete", { ref: element, ...asAttributes(props), ...asProperties(props), ...listeners }, slots.default?.());
  },
});

/** Shows the place of the page, unless it is there: what the user types without a choice must stay. */
function showPlace(props, element) {
  const place = () => toRaw(props.modelValue);
  const show = () => {
    if (place() !== undefined && place() !== element.value.place) element.value.place = place();
  };
  onMounted(show);
  watch(place, show, { flush: "post" });
}

/** The settings as attributes. On a server Vue would write `recent="true"`, which names a list. */
function asAttributes(props) {
  return Object.fromEntries(Object.entries(attributesOf(props)).map(([name, text]) => [name, text === true ? "" : text]));
}

/** The props that are set, as the page made them: a geocoder has private fields, which a reactive proxy lacks. */
function asProperties(props) {
  const set = PROPERTIES.filter((name) => props[name] !== undefined);
  return Object.fromEntries(set.map((name) => [`.${name}`, toRaw(props[name])]));
}
