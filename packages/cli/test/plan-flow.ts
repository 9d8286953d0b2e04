import { writeFile } from "node:fs/promises";
import { type Client, connect } from "kubewright";
import { loadConnection } from "kubewright/transport";
import { expect } from "vitest";
import { exportedOperator } from "../src/exported-operator.js";
import { ProjectModule } from "../src/project-module.js";
import { projectUnderTest } from "./project-under-test.js";

/** Sites own a Deployment, a ConfigMap and Pages; Pages own a ConfigMap. `newer` is a release with changes to each. */
const version = (newer: boolean) => `
import { controller, defineResource, operator, z } from "kubewright";
import { Deployment } from "kubewright/k8s/apps/v1";
import { ConfigMap } from "kubewright/k8s/core/v1";

export const Site = defineResource({
  group: "plan.example.com",
  kind: "Site",
  versions: { v1: { spec: z.object({ replicas: z.int32(), broken: z.boolean().optional() }), status: z.object({ seen: z.string().optional() }) } },
});
export const Page = defineResource({
  group: "plan.example.com",
  kind: "Page",
  versions: { v1: { spec: z.object({ text: z.string() }) } },
});
const sites = controller(Site, {
  owns: [Deployment, ConfigMap, Page],
  reconcile: async ({ object, apply, prune, status, event }) => {
    const { name } = object.metadata;
    if (${newer} && object.spec.broken) throw new Error("this release cannot do that");
    const labels = { app: name };
    await apply(Deployment, {
      metadata: { name },
      spec: {
        replicas: object.spec.replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: "web", image: ${newer} && object.spec.replicas > 1 ? "web:2" : "web:1" }] },
        },
      },
    });
    if (!${newer}) await apply(ConfigMap, { metadata: { name: name + "-old" }, data: { a: "b" } });
    const page = await apply(Page, { metadata: { name }, spec: { text: "${newer ? "new" : "old"}" } });
    if (${newer}) await apply(Page, { metadata: { name: name + "-second" }, spec: { text: page.spec.text + "er" } });
    await prune(ConfigMap, Page);
    status.seen = "${newer ? "two" : "one"}";
    event("Normal", "Synced", "Synced");
  },
  ${newer ? "finalize: () => {}," : ""}
});
const pages = controller(Page, {
  owns: [ConfigMap],
  reconcile: async ({ object, apply }) => {
    await apply(ConfigMap, { metadata: { name: object.metadata.name + "-page" }, data: { text: object.spec.text } });
  },
});
export const planned = operator({ name: "planned", controllers: [sites, pages] });
`;

/** An operator runs, and its next release is planned. `look` is called before the first and after each plan. */
export async function planFlow(kubeconfig: string, look: () => void = () => {}): Promise<void> {
  await using project = await projectUnderTest(kubeconfig);
  const { module, run } = project;
  await using client = await connect({ kubeconfig });
  await writeFile(module, version(false));
  expect((await run("plan")).err).toMatch(/error: .*Site.*kubewright install/s);
  expect((await run("install")).code).toBe(0);
  const Site = await client.kind("plan.example.com/v1/Site");
  for (const [name, replicas] of [
    ["one", 1],
    ["three", 3],
  ] as const)
    await client.create(Site, { metadata: { name, namespace: "default" }, spec: { replicas } } as never);
  await settle(module, kubeconfig);
  const before = await everything(client);
  look();

  expect(await run("plan", "--check")).toEqual({
    code: 0,
    out: "4 objects reconciled: nothing would change\nNothing was written.\n",
    err: "",
  });
  look();
  await writeFile(module, version(true));
  const { code, out, err } = await run("plan", "--check");
  expect({ code, err }).toEqual({ code: 4, err: "" });
  look();
  expect(out).toBe(
    [
      "ConfigMap default/one-old would be deleted",
      "ConfigMap default/one-page would change",
      "  ~ .data.text",
      "ConfigMap default/one-second-page would be created",
      "ConfigMap default/three-old would be deleted",
      "ConfigMap default/three-page would change",
      "  ~ .data.text",
      "ConfigMap default/three-second-page would be created",
      "Deployment default/three would change and roll out",
      '  ~ .spec.template.spec.containers[web].image: "web:1" -> "web:2"',
      "Page default/one would change",
      '  ~ .spec.text: "old" -> "new"',
      "Page default/one-second would be created",
      "Page default/three would change",
      '  ~ .spec.text: "old" -> "new"',
      "Page default/three-second would be created",
      "Site default/one would change",
      "  + .metadata.finalizers",
      '  ~ .status.seen: "one" -> "two"',
      "Site default/three would change",
      "  + .metadata.finalizers",
      '  ~ .status.seen: "one" -> "two"',
      "6 objects reconciled: 2 ConfigMaps deleted; 2 ConfigMaps changed; 2 ConfigMaps created; 1 Deployment changed, 1 rolled out; 2 Pages changed; 2 Pages created; 2 Sites changed",
      "Nothing was written.",
      "",
    ].join("\n"),
  );
  const json = await run("plan", "-o", "json");
  expect(JSON.parse(json.out)).toMatchObject({
    objects: 6,
    failures: [],
    summary: expect.arrayContaining(["2 Pages created"]),
  });
  look();
  expect(await everything(client)).toEqual(before);

  await client.patch(
    Site,
    { namespace: "default", name: "one" } as never,
    { merge: { spec: { broken: true } } } as never,
  );
  const failed = await run("plan", "--summary");
  expect(failed).toMatchObject({
    code: 1,
    err: "error: Cannot plan Site default/one: this release cannot do that\n",
    out: expect.stringMatching(/^5 objects reconciled; 1 failed: .*\nNothing was written\.\n$/),
  });
  await client.delete(Site, { namespace: "default", name: "one" } as never);
  await client.delete(Site, { namespace: "default", name: "three" } as never);
  expect((await run("uninstall", "--force")).code).toBe(0);
}

/** Runs the operator until it waits for changes. */
async function settle(module: string, kubeconfig: string): Promise<void> {
  await using bundle = new ProjectModule(module);
  const operator = exportedOperator(module, await bundle.load());
  const { HttpsTransport } = await import("kubewright/transport");
  const { sleep, systemClock } = await import("@kubewright/core/clock");
  const transport = new HttpsTransport(await loadConnection({ kubeconfig }), { clock: systemClock });
  const running = await operator.start({ transport });
  for (let quiet = 0, runs = -1; quiet < 10; ) {
    await sleep(systemClock, 50);
    quiet = running.idle && running.runs === runs ? quiet + 1 : 0;
    runs = running.runs;
  }
  await running.stop();
  await transport.close();
}

/** The resourceVersions of all objects that the operator, or its framework, could write. */
async function everything(client: Client): Promise<readonly string[]> {
  const versions: string[] = [];
  for (const name of [
    "plan.example.com/v1/Site",
    "plan.example.com/v1/Page",
    "apps/v1/Deployment",
    "v1/ConfigMap",
    "v1/Event",
    "coordination.k8s.io/v1/Lease",
  ]) {
    const kind = await client.kind(name);
    for await (const object of client.list(kind, { namespace: "default" })) {
      const { metadata } = object;
      versions.push(`${name} ${metadata.name} ${metadata.resourceVersion}`);
    }
  }
  return versions;
}
