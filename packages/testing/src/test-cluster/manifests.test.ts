import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { controller, defineResource, operator, z } from "kubewright";
import { ConfigMap, Namespace } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { testCluster } from "./index.js";

const Task = defineResource({
  group: "example.com",
  kind: "Task",
  versions: { v1: { spec: z.object({ size: z.int32().default(1) }) } },
});
const seen: string[] = [];
const tasks = operator({
  name: "tasks",
  controllers: [controller(Task, { reconcile: ({ object }) => void seen.push(object.metadata.name) })],
});

const widgetCrd = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, singular: widget, kind: Widget, listKind: WidgetList }
  versions:
    - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } } }
`;
const task = (name: string) => `{ apiVersion: example.com/v1, kind: Task, metadata: { name: ${name} }, spec: {} }\n`;

/** Writes files, runs a function with their folder, and removes them. */
async function withFiles(files: Readonly<Record<string, string>>, run: (folder: string) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), "manifests-"));
  try {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
    }
    await run(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("manifests are applied before the operator starts, CRDs and Namespaces first", async () => {
  const files = {
    "1-objects.yaml": `---
apiVersion: v1
kind: ConfigMap
metadata: { name: settings, namespace: team }
---
# nothing but a comment
---
apiVersion: example.com/v1
kind: Widget
metadata: { name: w }
---
${task("one")}`,
    "2-team.yml": "{ apiVersion: v1, kind: Namespace, metadata: { name: team } }",
    "crd/widgets.yaml": widgetCrd,
    "crd/kustomization.yaml": "resources: [widgets.yaml]",
    "list.json": `{ "apiVersion": "v1", "kind": "List", "items": [${JSON.stringify({ apiVersion: "example.com/v1", kind: "Task", metadata: { name: "two" } })}] }`,
    "notes.txt": "no manifest",
  };
  await withFiles(files, async (folder) => {
    seen.length = 0;
    await using cluster = await testCluster(tasks, { manifests: [folder] });
    await cluster.settle();
    expect(seen.sort()).toEqual(["one", "two"]);
    expect((await cluster.get(Namespace, "team")).metadata.name).toBe("team");
    expect((await cluster.get(ConfigMap, { namespace: "team", name: "settings" })).metadata.name).toBe("settings");
    const Widget = await cluster.kind("Widget");
    expect((await cluster.get(Widget, { namespace: cluster.namespace, name: "w" })).metadata.name).toBe("w");
  });
});

test("only the CRDs of `crds` are applied", async () => {
  await withFiles({ "all.yaml": `${widgetCrd}---\n${task("one")}` }, async (folder) => {
    await using cluster = await testCluster(tasks, { crds: [folder] });
    expect((await cluster.kind("Widget")).plural).toBe("widgets");
    expect(await cluster.find(Task, "one")).toBeUndefined();
  });
});

test("a manifest that is no object, or that the server rejects, is named by file and document", async () => {
  const files = {
    "broken.yaml": `${task("one")}---\na: [`,
    "typed.yaml": `${task("one")}---\n{ kind: Task }`,
    "rejected.yaml": `${task("one")}---\n{ apiVersion: example.com/v1, kind: Task, metadata: { name: two }, spec: { size: many } }`,
    "unknown.yaml": "{ apiVersion: example.com/v1, kind: Tusk, metadata: { name: three } }",
  };
  await withFiles(files, async (folder) => {
    const problem = (path: string) => testCluster(tasks, { manifests: [join(folder, path)] }).catch(String);
    expect(await problem("broken.yaml")).toMatch(/Cannot read manifest ".*broken\.yaml", document 2: /);
    expect(await problem("typed.yaml")).toMatch(/typed\.yaml", document 2: it has no "apiVersion"/);
    expect(await problem("rejected.yaml")).toMatch(
      /Cannot apply Task "two" of manifest ".*rejected\.yaml", document 2: .*spec\.size/s,
    );
    expect(await problem("unknown.yaml")).toMatch(/Cannot apply Tusk "three" .*did you mean.*Task/s);
    expect(await problem("missing")).toMatch(/Cannot read manifest ".*missing": it is not readable from/);
  });
});
