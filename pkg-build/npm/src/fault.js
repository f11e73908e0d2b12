// The errors of this package: `Error` objects with a `code`, which is what programs should look at.

/** An `Error` with a code. */
export function fault(code, message, cause) {
  const error = new Error(message, cause === undefined ? undefined : { cause });
  error.code = code;
  return error;
}

/** What is left of an error on its way between threads. */
export function packed(error) {
  return { code: error?.code ?? "internal", name: error?.name, message: String(error?.message ?? error) };
}

/** The error again. */
export function unpacked({ code, name, message }) {
  const error = fault(code, message);
  if (name === "AbortError") error.name = name;
  return error;
}
