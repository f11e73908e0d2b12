// The errors of this package: `Error` objects with a `code` for programs.

export function fault(code, message, cause) {
  const error = new Error(message, cause === undefined ? undefined : { cause });
  error.code = code;
  return error;
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
