// The errors of this package: `Error` objects with a `code` for programs.

export function fault(code, message, cause) {
  const error = new Error(message, cause === undefined ? undefined : { cause });
  error.code = code;
  return error;
}

/** That of a geocoder that was freed. */
export function freed() {
  return fault("freed", "this geocoder was freed");
}

/** Calls the engine, unless it was freed. A fault of its wasm has the code `internal`. */
export function guarded(engine, call) {
  if (!engine) throw freed();
  try {
    return call(engine);
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    throw fault("internal", `the engine failed, which is a fault of this package: ${error.message}`, error);
  }
}

/** Turns an error into a plain object that can cross threads. */
export function packed(error) {
  return { code: error?.code ?? "internal", name: error?.name, message: String(error?.message ?? error) };
}

/** Turns the plain object back into an error. */
export function unpacked({ code, name, message }) {
  const error = fault(code, message);
  if (name === "AbortError") error.name = name;
  return error;
}
