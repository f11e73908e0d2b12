// Client for the inspector of workerd, for the memory of an isolate part by part. It uses V8's protocol (Chrome
// DevTools Protocol): https://chromedevtools.github.io/devtools-protocol/v8/

/** Maximum wait for an answer of the inspector, milliseconds. */
const PATIENCE_MS = 30_000;

export class Inspector {
  #socket;
  #context;
  #sent = 0;
  #awaited = new Map();

  /** Connects to the inspector of a Worker at `port` of this machine. */
  static async connect(port) {
    const [{ webSocketDebuggerUrl }] = await (await fetch(`http://127.0.0.1:${port}/json`)).json();
    const inspector = new Inspector();
    await inspector.#open(webSocketDebuggerUrl);
    await inspector.ask("Runtime.enable");
    return inspector;
  }

  #open(url) {
    const socket = (this.#socket = new WebSocket(url));
    socket.onmessage = ({ data }) => {
      const { id, method, params, result, error } = JSON.parse(data);
      if (method === "Runtime.executionContextCreated") this.#context = params.context.id;
      const { resolve, reject } = this.#awaited.get(id) ?? {};
      this.#awaited.delete(id);
      if (error) reject?.(new Error(error.message));
      else resolve?.(result);
    };
    return new Promise((resolve, reject) => Object.assign(socket, { onopen: resolve, onerror: reject }));
  }

  /** Calls `method` of the protocol and returns its answer. */
  ask(method, params = {}) {
    const id = ++this.#sent;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer to ${method}`)), PATIENCE_MS);
      const settled = (settle) => (value) => {
        clearTimeout(timer);
        settle(value);
      };
      this.#awaited.set(id, { resolve: settled(resolve), reject: settled(reject) });
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  /** A handle on the array of all live objects of the class `name`, after a garbage collection. */
  async all(name) {
    const expression = `${name}.prototype`;
    const { result } = await this.ask("Runtime.evaluate", { expression, contextId: this.#context });
    const { objects } = await this.ask("Runtime.queryObjects", { prototypeObjectId: result.objectId });
    return objects.objectId;
  }

  /** Calls a function with the object of a handle as `this`, and returns its result. */
  async about(objectId, functionOf) {
    const functionDeclaration = `${functionOf}`;
    const { result } = await this.ask("Runtime.callFunctionOn", { objectId, functionDeclaration, returnByValue: true });
    return result.value;
  }

  /** Collects all garbage, by a search for objects, which does so first. */
  collectGarbage() {
    return this.all("WebAssembly.Memory");
  }

  close() {
    this.#socket.close();
  }
}
