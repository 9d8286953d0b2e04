import { setFlagsFromString } from "node:v8";
import { runInThisContext } from "node:vm";
import { FakeClock } from "@kubewright/core/clock";
import { isJsonObject, type JsonValue } from "@kubewright/core/json";
import { expect, test } from "vitest";
import { startCluster } from "../src/index.js";

/** Whether V8 keeps two objects by the same hidden class. */
function sameClass(): (a: object, b: object) => boolean {
  setFlagsFromString("--allow-natives-syntax");
  const same: (a: object, b: object) => boolean = runInThisContext("(a, b) => %HaveSameMap(a, b)");
  // Compiled while it may be.
  same({}, {});
  setFlagsFromString("--no-allow-natives-syntax");
  return same;
}

test("stored objects of one form share their hidden classes, which else would take more memory than they do", async () => {
  await using cluster = await startCluster({ clock: new FakeClock() });
  const path = "/api/v1/namespaces/default/pods";
  const send = async (method: "POST" | "PATCH", at: string, type: string, body: unknown): Promise<JsonValue> => {
    const answer = await cluster.transport.send({ method, path: at, headers: { "content-type": type }, body });
    expect(answer.status).toBeLessThan(300);
    return answer.body as JsonValue;
  };
  const made: JsonValue[] = [];
  // The first objects of a kind teach V8 its classes.
  for (let index = 0; index < 20; index++) {
    const name = `p${index}`;
    const spec = { containers: [{ name: "main", image: "web:1" }] };
    await send("POST", path, "application/json", { metadata: { name, labels: { app: "web" } }, spec });
    const binding = { metadata: { name }, target: { kind: "Node", name: "n" } };
    await send("POST", `${path}/${name}/binding`, "application/json", binding);
    const status = { status: { phase: "Running", message: name, conditions: [{ type: "Ready", status: "True" }] } };
    made.push(await send("PATCH", `${path}/${name}/status`, "application/merge-patch+json", status));
  }
  const same = sameClass();
  const differing = (a: JsonValue, b: JsonValue, at: string): string[] => {
    if (!isJsonObject(a) || !isJsonObject(b)) {
      if (!Array.isArray(a) || !Array.isArray(b)) return [];
      return a.flatMap((item, index) => differing(item, (b as readonly JsonValue[])[index] ?? null, `${at}[${index}]`));
    }
    const inner = Object.keys(a).flatMap((key) => differing(a[key] ?? null, b[key] ?? null, `${at}.${key}`));
    return same(a, b) ? inner : [at, ...inner];
  };
  expect(differing(made[18] ?? null, made[19] ?? null, "pod")).toEqual([]);
});
