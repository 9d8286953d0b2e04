import { kebabCase } from "./kebab-case.js";
import type { Project, ProjectResource } from "./project.js";
import type { ScaffoldFile } from "./write-scaffold.js";

/** Where the modules of a resource are, relative to `src`, without extension. */
export function modulesOf(
  { multigroup }: Project,
  { group, kind }: ProjectResource,
): { api: string; controller: string } {
  const folder = multigroup ? `${group}/` : "";
  const name = kebabCase(kind);
  return { api: `api/${folder}${name}`, controller: `controllers/${folder}${name}-controller` };
}

/** The name of a controller's variable. */
export function controllerVariable({ kind }: ProjectResource): string {
  return `${kind.charAt(0).toLowerCase()}${kind.slice(1)}Controller`;
}

/** The definition, the controller and the controller's test of a resource. */
export function apiFiles(project: Project, resource: ProjectResource): ScaffoldFile[] {
  const modules = modulesOf(project, resource);
  const up = "../".repeat(modules.controller.split("/").length - 1);
  return [
    { path: `src/${modules.api}.ts`, text: definitionText(project, resource) },
    { path: `src/${modules.controller}.ts`, text: controllerText(resource, `${up}${modules.api}.js`) },
    {
      path: `src/${modules.controller}.test.ts`,
      text: testText(resource, { api: `${up}${modules.api}.js`, operator: `${up}operator.js` }),
    },
  ];
}

function definitionText({ domain }: Project, { group, version, kind, plural, namespaced }: ProjectResource): string {
  return `import { defineResource, type ObjectOf, z } from "kubewright";

/** The desired state: what users write. */
const spec = z.object({
  message: z.string().min(1).describe("The message to publish."),
});

/** The observed state: what the controller reports. */
const status = z.object({
  published: z.string().optional().describe("The message that was published last."),
});

export const ${kind} = defineResource({
  group: "${group}.${domain}",
  kind: "${kind}",
  plural: "${plural}",${namespaced ? "" : '\n  scope: "Cluster",'}
  versions: {
    ${version}: {
      spec,
      status,
      conditions: { Ready: ["Published"] },
      printerColumns: [
        { name: "Message", type: "string", jsonPath: ".spec.message" },
        { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
      ],
    },
  },
});

/** A ${kind} as it is read. */
export type ${kind} = ObjectOf<typeof ${kind}>;
`;
}

function controllerText(resource: ProjectResource, api: string): string {
  const { kind, namespaced } = resource;
  // A cluster-scoped owner can own objects in any namespace, so it must name one.
  const namespace = namespaced ? "" : ', namespace: "default"';
  return `import { controller } from "kubewright";
import { ConfigMap } from "kubewright/k8s/core/v1";
import { ${kind} } from "${api}";

/** Publishes the message of each ${kind} as a ConfigMap, which is repaired when it is changed or deleted. */
export const ${controllerVariable(resource)} = controller(${kind}, {
  owns: [ConfigMap],
  reconcile: async ({ object, apply, status, conditions }) => {
    const { message } = object.spec;
    await apply(ConfigMap, { metadata: { name: object.metadata.name${namespace} }, data: { message } });
    status.published = message;
    conditions.set("Ready", { status: true, reason: "Published" });
  },
});
`;
}

function testText(
  { kind, namespaced }: ProjectResource,
  modules: { readonly api: string; readonly operator: string },
): string {
  const name = namespaced ? '"first"' : '{ namespace: "default", name: "first" }';
  return `import { testCluster } from "@kubewright/testing";
import { ConfigMap } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { ${kind} } from "${modules.api}";
import { projectOperator } from "${modules.operator}";

test("a ${kind} publishes its message, and a deleted ConfigMap comes back", async () => {
  await using cluster = await testCluster(projectOperator);
  await cluster.create(${kind}, { metadata: { name: "first" }, spec: { message: "hello" } });
  await cluster.settle();
  expect((await cluster.get(ConfigMap, ${name})).data).toEqual({ message: "hello" });
  expect((await cluster.conditions(${kind}, "first")).Ready?.status).toBe("True");

  await cluster.delete(ConfigMap, ${name});
  await cluster.settle();
  expect((await cluster.get(ConfigMap, ${name})).data).toEqual({ message: "hello" });
});
`;
}
