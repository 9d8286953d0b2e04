/** Objects that a real kube-apiserver accepts, and that must not stop an operator. */
import { readFile } from "node:fs/promises";
import { request } from "node:https";
import { systemClock } from "@kubewright/core/clock";
import { type ControlPlane, startControlPlane } from "@kubewright/testing/control-plane";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient, dynamic } from "../src/client/index.js";
import { CustomResourceDefinition } from "../src/k8s/apiextensions/v1.gen.js";
import { operator } from "../src/manager/index.js";
import { controller } from "../src/reconcile/index.js";
import { watch } from "../src/route/index.js";
import { HttpsTransport, parseKubeconfig } from "../src/transport/index.js";

let plane: ControlPlane;
let transport: HttpsTransport;
beforeAll(async () => {
  plane = await startControlPlane();
  const file = plane.kubeconfigFile(plane.admin);
  const found = await parseKubeconfig([{ file, text: await readFile(file, "utf8") }]);
  transport = new HttpsTransport(found, { clock: systemClock });
}, 120_000);
afterAll(async () => {
  await transport?.close();
  await plane?.stop();
});

/** As text: JSON.stringify is as limited as any recursion. */
async function post(path: string, body: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${plane.admin.token}`, "content-type": "application/json" };
    const sent = request(new URL(path, plane.url), { method: "POST", headers, ca: plane.caCertificate }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode));
    });
    sent.once("error", reject).end(body);
  });
}

test("an object of 9,000 levels is reconciled, mapped and updated like others, which continue", async () => {
  const client = createClient(transport);
  const Widget = dynamic({ apiVersion: "example.com/v1", kind: "Widget", plural: "widgets", scope: "Namespaced" });
  const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true } as const;
  await client.create(CustomResourceDefinition, {
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      names: { kind: "Widget", plural: "widgets" },
      scope: "Namespaced",
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  });
  const path = "/apis/example.com/v1/namespaces/default/widgets";
  const widget = (name: string, spec: string): string =>
    `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"${name}"},"spec":${spec}}`;
  for await (const event of await client.watch(CustomResourceDefinition, {
    fields: "metadata.name=widgets.example.com",
  })) {
    const { conditions = [] } = ("object" in event && event.object.status) || {};
    if (conditions.some(({ type, status }) => type === "Established" && status === "True")) break;
  }
  expect(await post(path, widget("first", "{}"))).toBe(201);

  const seen: string[] = [];
  const reached = new Map<string, () => void>();
  const seeing = (what: string): Promise<void> =>
    seen.includes(what) ? Promise.resolve() : new Promise((resolve) => reached.set(what, resolve));
  const see = (what: string): void => {
    seen.push(what);
    reached.get(what)?.();
  };
  const widgets = controller(Widget, {
    name: "widgets",
    when: ({ new: next }) => next !== undefined,
    watches: [watch(Widget, { to: ({ metadata }) => ({ name: metadata.name, namespace: "default" }) })],
    reconcile: ({ object, causes }) => {
      const paths = causes.flatMap((cause) => ("change" in cause ? cause.changedPaths : []));
      see(`${object.metadata.name}${paths.some((one) => one.startsWith(".spec")) ? " changed" : ""}`);
    },
  });
  const running = await operator({ name: "hostile", controllers: [widgets] }).start({ transport });
  await seeing("first");
  expect(await post(path, widget("deep", `${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}`))).toBe(201);
  await seeing("deep");
  await client.patch(Widget, "deep", { json: [{ op: "add", path: "/spec/b", value: 1 }] });
  await seeing("deep changed");
  expect(await post(path, widget("last", "{}"))).toBe(201);
  await seeing("last");
  expect(running.whyNotReady()).toBeUndefined();
  expect(running.failing()).toEqual([]);
  await running.stop();
}, 120_000);
