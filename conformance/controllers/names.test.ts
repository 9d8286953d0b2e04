import { expect, test } from "vitest";
import { Names } from "./names.js";
import { View } from "./view.js";

/** A cluster that lists these objects and never sends a watch event. */
function viewOf(objects: Readonly<Record<string, readonly object[]>>): View {
  return new View({
    send: async ({ path }) => {
      const items = objects[path.split("/").at(-1) ?? ""] ?? [];
      return { status: 200, headers: {}, body: { metadata: { resourceVersion: "1" }, items } };
    },
    stream: async () => ({ kind: "stream", status: 200, headers: {}, items: (async function* () {})() }),
    close: async () => {},
  });
}

function metadata(name: string, more: object = {}): object {
  return { name, namespace: "s1", uid: `uid-of-${name}`, resourceVersion: "1", ...more };
}

async function names(): Promise<Names> {
  const view = viewOf({
    pods: [
      { metadata: metadata("web-5b-x7k2p", { generateName: "web-5b-" }), status: { podIP: "10.64.0.2" } },
      { metadata: metadata("db-0", { generateName: "db-" }), status: {} },
    ],
    replicasets: [{ metadata: metadata("web-5b") }],
    services: [{ metadata: metadata("web"), spec: { clusterIP: "10.0.0.7" } }],
  });
  await view.start(["Pod", "ReplicaSet", "Service"]);
  return new Names(view, "s1", ["node-1"]);
}

test.each([
  ["Created pod: web-5b-x7k2p", "Created pod: web-5b-*"],
  ['pods "web-5b-bcdfg" is forbidden', 'pods "web-5b-*" is forbidden'],
  ["Create Pod db-0 in StatefulSet db successful", "Create Pod db-0 in StatefulSet db successful"],
  ["Successfully assigned s1/db-0 to node-1", "Successfully assigned {ns}/db-0 to {node}"],
  ["Job work-29381234 at 2026-11-16T07:20:26Z", "Job work-{minute} at {time}"],
  ["10.64.0.2", "{ip of web-5b-*}"],
  ["10.0.0.7", "{ip of web}"],
  ["uid-of-db-0", "{uid}"],
])("%s becomes %s", async (text, expected) => {
  expect((await names()).of(text)).toBe(expected);
});
