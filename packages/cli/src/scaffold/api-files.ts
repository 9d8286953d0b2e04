import { controllerVariable } from "./controller-variable.js";
import { convertMarker, versionsMarker } from "./conversion-files.js";
import { kebabCase } from "./kebab-case.js";
import { coreSample, observerTest, observerText } from "./observer-files.js";
import type { Project, ProjectResource } from "./project.js";
import type { ScaffoldFile } from "./write-scaffold.js";

/** Where the modules of a resource are, relative to `src`, without extension. */
export function modulesOf(
  { multigroup }: Project,
  { group, kind }: ProjectResource,
): { readonly api: string; readonly controller: string; readonly webhook: string } {
  const folder = multigroup ? `${group}/` : "";
  const name = kebabCase(kind);
  return {
    api: `api/${folder}${name}`,
    controller: `controllers/${folder}${name}-controller`,
    webhook: `webhooks/${folder}${name}-webhook`,
  };
}

/** The module that exports a kind, as a module of the project imports it. */
export function kindModule(project: Project, resource: ProjectResource, from: string): string {
  const { origin, group, version } = resource;
  if (origin === "core") return `kubewright/k8s/${group === "" ? "core" : group.replace(/\..*/, "")}/${version}`;
  return `${"../".repeat(from.split("/").length - 1)}${modulesOf(project, resource).api}.js`;
}

/** What an imported CRD brings. */
export interface ImportedApi {
  /** The module that defines the resource. */
  readonly text: string;
  /** A valid object, without apiVersion, kind and metadata. */
  readonly sample: object;
}

/** The definition of a resource, its controller and the controller's test, as far as the project has them. */
export function apiFiles(project: Project, resource: ProjectResource, imported?: ImportedApi): ScaffoldFile[] {
  const { api, controller } = modulesOf(project, resource);
  const module = kindModule(project, resource, controller);
  const operator = `${"../".repeat(controller.split("/").length - 1)}operator.js`;
  const files: ScaffoldFile[] = [];
  if (resource.origin === "own") files.push({ path: `src/${api}.ts`, text: definitionText(project, resource) });
  if (imported !== undefined) files.push({ path: `src/${api}.ts`, text: imported.text });
  if (!resource.controller) return files;
  const texts =
    resource.origin === "own"
      ? { text: controllerText(resource, module), test: testText(resource, { api: module, operator }) }
      : {
          text: observerText(resource, module),
          test: observerTest(resource, { module, operator, sample: imported?.sample ?? coreSample(resource) }),
        };
  return [
    ...files,
    { path: `src/${controller}.ts`, text: texts.text },
    { path: `src/${controller}.test.ts`, text: texts.test },
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
  hub: "${version}",
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
    ${versionsMarker}
  },
  ${convertMarker}
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
