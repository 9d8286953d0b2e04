import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

// In a process of its own: V8 gives a thread so many hidden classes of objects by their first key, and those that come later none. Tests of
// other files may have used them up.
test("stored objects of one form share their hidden classes, which else would take more memory than they do", async () => {
  const script = `
    import { startCluster } from ${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)};
    const cluster = await startCluster();
    const path = "/api/v1/namespaces/default/pods";
    const send = async (method, at, type, body) => {
      const answer = await cluster.transport.send({ method, path: at, headers: { "content-type": type }, body });
      if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
      return answer.body;
    };
    const made = [];
    // The first objects of a kind teach V8 its classes.
    for (let index = 0; index < 20; index++) {
      const name = "p" + index;
      const spec = { containers: [{ name: "main", image: "web:" + index }] };
      await send("POST", path, "application/json", { metadata: { name, labels: { app: "web" } }, spec });
      const binding = { metadata: { name }, target: { kind: "Node", name: "n" } };
      await send("POST", path + "/" + name + "/binding", "application/json", binding);
      const status = { phase: "Running", message: name, conditions: [{ type: "Ready", status: "True" }] };
      made.push(await send("PATCH", path + "/" + name + "/status", "application/merge-patch+json", { status }));
    }
    const isObject = (value) => typeof value === "object" && value !== null;
    const differing = (a, b, at) => {
      if (!isObject(a) || !isObject(b)) return [];
      const inner = Object.keys(a).flatMap((key) => differing(a[key], b[key], at + "." + key));
      return Array.isArray(a) || %HaveSameMap(a, b) ? inner : [at, ...inner];
    };
    console.log(JSON.stringify({ differing: differing(made[18], made[19], "pod"), otherwise: %HaveSameMap({ a: 1 }, { b: 1 }) }));
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
