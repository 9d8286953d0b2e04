import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

// Runs in a separate process: V8 limits the hidden classes per thread that it derives from an object's first key, and
// tests of other files may have exhausted them.
test("stored objects of the same shape share hidden classes, which would otherwise need more memory than the objects", async () => {
  const script = `
    import { startCluster } from ${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)};
    const cluster = await startCluster();
    const path = "/api/v1/namespaces/default/pods";
    const send = async (method, at, type, body) => {
      const response = await cluster.transport.send({ method, path: at, headers: { "content-type": type }, body });
      if (response.status >= 300) throw new Error(JSON.stringify(response.body));
      return response.body;
    };
    const stored = [];
    // V8 learns the classes of a kind from its first objects.
    for (let index = 0; index < 20; index++) {
      const name = "p" + index;
      const spec = { containers: [{ name: "main", image: "web:" + index }] };
      await send("POST", path, "application/json", { metadata: { name, labels: { app: "web" } }, spec });
      const binding = { metadata: { name }, target: { kind: "Node", name: "n" } };
      await send("POST", path + "/" + name + "/binding", "application/json", binding);
      const status = { phase: "Running", message: name, conditions: [{ type: "Ready", status: "True" }] };
      stored.push(await send("PATCH", path + "/" + name + "/status", "application/merge-patch+json", { status }));
    }
    const isObject = (value) => typeof value === "object" && value !== null;
    const differing = (a, b, at) => {
      if (!isObject(a) || !isObject(b)) return [];
      const inner = Object.keys(a).flatMap((key) => differing(a[key], b[key], at + "." + key));
      return Array.isArray(a) || %HaveSameMap(a, b) ? inner : [at, ...inner];
    };
    console.log(JSON.stringify({ differing: differing(stored[18], stored[19], "pod"), otherwise: %HaveSameMap({ a: 1 }, { b: 1 }) }));
    await cluster.close();`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      "--allow-natives-syntax",
      "--conditions=kubewright-source",
      "--import=tsx",
      "--input-type=module",
      "--eval",
      script,
    ],
    { cwd: import.meta.dirname, timeout: 60_000 },
  );
  expect(JSON.parse(stdout)).toEqual({ differing: [], otherwise: false });
});
