// Writes the configuration of workerd: the Worker, its objects on disk, its pages, and the variables it may read. No value
// of a variable is in it: workerd takes them from its environment.

/** The variables that the Worker reads; src/config.rs explains all but the last, which is of arrival.mjs. */
const VARIABLES = ["TOPONYM_SIGNING_KEYS", "TOPONYM_PEPPER", "TOPONYM_KEY_MARK", "UNMARKED_KEYS", "TOPONYM_ADMIN_SECRET", "AUTH_HOST", "PUBLISH_PLACES", "TRUSTED_PROXIES"];

/** The object of clock.mjs, which only runs here. */
const CLOCK = { name: "CLOCK", class_name: "Clock" };

/** Kinds of modules by the ends of their names. */
const KINDS = { js: "esModule", wasm: "wasm", toponym: "data" };

const text = JSON.stringify;

/** The configuration for wrangler's `config`, and the files of the folder `worker`. */
export function configuration({ compatibility_date, durable_objects, name }, modules) {
  const objects = [...durable_objects.bindings, CLOCK];
  const lines = (items) => items.map((item) => `    ${item},\n`).join("");
  return `# Configuration of workerd, made by \`cargo xtask build selfhost\`. start.sh says where it listens and where the objects are.

using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "toponym", worker = .worker),
    # The API keys and their counts. Nothing else is written.
    (name = "objects", disk = (writable = true)),
    (name = "site", disk = ()),
    # The service asks nobody else.
    (name = "internet", network = (allow = [])),
  ],
  sockets = [(name = "http", http = (), service = "toponym")],
);

const worker :Workerd.Worker = (
  compatibilityDate = ${text(compatibility_date)},
  modules = [
${lines(modules.map(module))}  ],
  bindings = [
${lines(VARIABLES.map((variable) => `(name = ${text(variable)}, fromEnvironment = ${text(variable)})`))}${lines(objects.map(({ name, class_name }) => `(name = ${text(name)}, durableObjectNamespace = ${text(class_name)})`))}    (name = "SITE", service = "site"),
  ],
  # The keys are the names of the folders of the objects: never change them.
  durableObjectNamespaces = [
${lines(objects.map(({ class_name }) => `(className = ${text(class_name)}, uniqueKey = ${text(`${name}-${class_name}`)}, enableSql = true)`))}  ],
  durableObjectStorage = (localDisk = "objects"),
);
`;
}

function module(file) {
  const kind = KINDS[file.split(".").at(-1)];
  if (!kind) throw new Error(`the bundle has ${file}: add its kind to edge-worker/selfhost/configuration.mjs`);
  return `(name = ${text(kind === "esModule" ? file : `./${file}`)}, ${kind} = embed ${text(`worker/${file}`)})`;
}
