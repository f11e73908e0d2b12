// Suggestions for a text as a composable of Vue, for fields of one's own.

import { IDLE, Places } from "toponym/places";
import { computed, onMounted, onScopeDispose, shallowRef, toRaw, toValue, watch } from "vue";

/** Returns refs of `items`, `status` and `error` for a text and options: values, refs or getters. A server renders none. */
export function usePlaces(text, options = {}) {
  const state = shallowRef(IDLE);
  const places = new Places((next) => (state.value = next));
  const given = () => {
    const { geocoder, ...others } = toValue(options);
    return { geocoder: toRaw(geocoder), written: JSON.stringify(others) };
  };
  const search = ([text, geocoder, written]) => places.search(text, { ...JSON.parse(written), geocoder });
  // Not on a server, which mounts nothing.
  onMounted(() => watch(() => [toValue(text), given().geocoder, given().written], search, { immediate: true }));
  onScopeDispose(() => places.end());
  return { items: computed(() => state.value.items), status: computed(() => state.value.status), error: computed(() => state.value.error) };
}
