// A search field of one's own in Vue: usePlaces finds the places, Headless UI is the combobox, and the page says how it looks.

import { createApp, ref } from "vue";
import { Combobox, ComboboxInput, ComboboxLabel, ComboboxOption, ComboboxOptions } from "@headlessui/vue";
import { usePlaces } from "toponym-vue/use-places";

const PlaceBox = {
  components: { Combobox, ComboboxInput, ComboboxLabel, ComboboxOption, ComboboxOptions },
  props: ["label", "modelValue"],
  emits: ["update:modelValue"],
  setup() {
    const text = ref("");
    return { text, ...usePlaces(text, { limit: 5 }) };
  },
  template: `
    <Combobox as="div" :model-value="modelValue" @update:model-value="$emit('update:modelValue', $event)" by="place_id">
      <ComboboxLabel>{{ label }}</ComboboxLabel>{{ " " }}
      <ComboboxInput :display-value="(place) => place?.display_name ?? ''" autocomplete="off" @change="text = $event.target.value" />
      <ComboboxOptions>
        <ComboboxOption v-for="place in items" :key="place.place_id" v-slot="{ active }" :value="place">
          <strong v-if="active">{{ place.display_name }}</strong><template v-else>{{ place.display_name }}</template>
        </ComboboxOption>
      </ComboboxOptions>
      <p v-if="status === 'failed'" role="alert">Places cannot be loaded</p>
    </Combobox>`,
};

const Trip = {
  components: { PlaceBox },
  setup() {
    return { from: ref(null), to: ref(null) };
  },
  template: `
    <main>
      <h1>A trip</h1>
      <PlaceBox v-model="from" label="From" />
      <PlaceBox v-model="to" label="To" />
      <output>{{ from?.display_name ?? "somewhere" }} to {{ to?.display_name ?? "somewhere" }}</output>
    </main>`,
};

createApp(Trip).mount("#root");
