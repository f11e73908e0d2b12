// <toponym-autocomplete> as a component of Vue: props in place of properties, and `v-model` for the chosen place.

import "toponym/element";
import { computed, defineComponent, h, onMounted, ref, toRaw, watch } from "vue";

/** Search options, which the element takes together. */
const OPTIONS = ["limit", "countries", "types", "bbox", "within", "focus", "fields"];

/** Properties of the element. What is not set keeps its default. */
const PROPERTIES = ["geocoder", "messages", "value"];

export const ToponymAutocomplete = defineComponent({
  name: "ToponymAutocomplete",
  props: ["modelValue", ...PROPERTIES, ...OPTIONS],
  emits: ["update:modelValue", "change", "ready", "error"],
  setup(props, { emit, expose, slots }) {
    const element = ref(null);
    expose({ element });
    // As text, so that an equal array of the next rendering is no change, which would search again.
    const written = computed(() => JSON.stringify(pick(props, OPTIONS)));
    const options = computed(() => JSON.parse(written.value));
    showPlace(props, element);
    const own = (event, work) => event.target === element.value && work(event.detail);
    const chosen = (place) => {
      emit("update:modelValue", place);
      emit("change", place);
    };
    return () =>
      h(
        "toponym-autocomplete",
        {
          ref: element,
          ...asProperties({ ...pick(props, PROPERTIES), options: options.value }),
          onChange: (event) => own(event, chosen),
          onReady: (event) => own(event, () => emit("ready")),
          onError: (event) => own(event, (error) => emit("error", error)),
        },
        slots.default?.(),
      );
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

/** The props that are set, as the page made them: a geocoder has private fields, which a reactive proxy lacks. */
function pick(props, names) {
  return Object.fromEntries(names.filter((name) => props[name] !== undefined).map((name) => [name, toRaw(props[name])]));
}

function asProperties(values) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`.${name}`, value]));
}
