// A form of Vue with the search field: `v-model` is the chosen place, and a button sets it.

import { createApp, ref } from "vue";
import { ToponymAutocomplete } from "toponym-vue";

const OSLO = { display_name: "Oslo, Norway", lat: 59.91273, lon: 10.74609, country: "Norway", type: "city" };

const Trip = {
  components: { ToponymAutocomplete },
  setup() {
    return { place: ref(null), isOnlyFrance: ref(false), field: ref(null), OSLO };
  },
  template: `
    <main>
      <h1>A trip</h1>
      <label for="where">Where to?</label>{{ " " }}
      <ToponymAutocomplete id="where" ref="field" v-model="place" name="where" class="wide" :limit="4" required
        :countries="isOnlyFrance ? ['FR'] : undefined">
        <small slot="attribution">Places: GeoNames and others</small>
      </ToponymAutocomplete>
      <p>
        <label><input v-model="isOnlyFrance" type="checkbox"> only France</label>{{ " " }}
        <button @click="place = OSLO">Oslo</button>{{ " " }}
        <button @click="place = null">Nowhere</button>{{ " " }}
        <button @click="field.element.focus()">Search</button>
      </p>
      <output id="chosen" for="where">{{ place ? place.display_name + ": " + place.lat + ", " + place.lon : "no place" }}</output>
    </main>`,
};

const app = createApp(Trip);
app.config.compilerOptions.isCustomElement = (tag) => tag.startsWith("toponym-");
app.mount("#app");
