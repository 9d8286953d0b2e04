import { writeFile } from "node:fs/promises";
import type { Client } from "kubewright";
import { CustomResourceDefinition } from "kubewright/k8s/apiextensions/v1";
import { Deployment } from "kubewright/k8s/apps/v1";
import { ConfigMap, Namespace } from "kubewright/k8s/core/v1";
import { ClusterRole, Role } from "kubewright/k8s/rbac/v1";
import { expect } from "vitest";
import { projectUnderTest } from "./project-under-test.js";

const version = (owns: string, field: string) => `
import { controller, defineResource, operator, z } from "kubewright";
import { ConfigMap, Secret } from "kubewright/k8s/core/v1";

export const Greeting = defineResource({
  group: "deploy.example.com",
  kind: "Greeting",
  versions: { v1: { spec: z.object({ ${field}: z.string().optional() }) } },
});
const greeter = controller(Greeting, { owns: [${owns}], reconcile: () => {} });
export const greetings = operator({ name: "greetings", controllers: [greeter] });
`;

/** A project's life in a cluster: install, deploy, a newer version, undeploy, uninstall. On any cluster. */
export async function deployFlow(client: Client, kubeconfig: string, { rollsOut }: { readonly rollsOut: boolean }) {
  await using project = await projectUnderTest(kubeconfig);
  const { module, run } = project;
  const deploy = ["deploy", "--image", "registry.example.com/greetings:1", ...(rollsOut ? [] : ["--no-wait"])];
  await writeFile(module, version("ConfigMap", "text"));
  const crd = "customresourcedefinition.apiextensions.k8s.io/greetings.deploy.example.com";
  const missing = await run("doctor");
  expect(missing).toMatchObject({ code: 1, err: "" });
  expect(missing.out).toContain("✘ CRD greetings.deploy.example.com: not installed\n    fix: kubewright install\n");
  expect(missing.out).toContain("1 of 9 checks failed\n");
  expect(await run("install", "--dry-run")).toMatchObject({
    code: 0,
    out: `${crd} created (server dry run)\n1 created (server dry run)\n`,
  });
  expect(await client.find(CustomResourceDefinition, "greetings.deploy.example.com")).toBeUndefined();
  expect(await run("install")).toMatchObject({ code: 0, out: `${crd} created\n1 created\n` });

  const planned = await run(...deploy, "--dry-run");
  expect(planned).toMatchObject({ code: 0 });
  expect(planned.out).toContain("namespace/greetings-system created (server dry run)\n");
  expect(planned.out).toContain("deployment.apps/greetings created (server dry run)\n");
  expect(await client.find(Namespace, "greetings-system")).toBeUndefined();

  const first = await run(...deploy);
  expect(first).toMatchObject({ code: 0 });
  expect(first.out).toContain("deployment.apps/greetings created\n");
  expect(first.err).toBe(
    rollsOut ? "warning: the nodes of this cluster are simulated: Pods become ready, but no container runs\n" : "",
  );
  if (rollsOut) expect(first.out).toContain("waiting for deployment.apps/greetings: 1 of 1 replicas available\n");
  const key = { namespace: "greetings-system", name: "greetings" };
  expect((await client.get(Deployment, key)).spec.template.spec?.containers[0]?.image).toBe(
    "registry.example.com/greetings:1",
  );
  expect(JSON.parse((await run(...deploy, "-o", "json")).out)).toMatchObject({
    summary: { unchanged: expect.any(Number) },
  });
  expect(JSON.parse((await run(...deploy, "-o", "json")).out).summary).not.toHaveProperty("configured");

  const checked = await run("doctor");
  expect(checked).toMatchObject({
    code: rollsOut ? 0 : 1,
    out: expect.stringMatching(rollsOut ? /No failures/ : /1 of 9 checks failed/),
  });
  expect(checked.out).toContain("✔ CRD greetings.deploy.example.com: installed and up to date\n");
  const allowed = /✔ permissions: ServiceAccount "greetings" may do all \d+ that it declares\n/;
  expect(checked.out).toMatch(allowed);
  expect(checked.out).toContain(`Deployment: ${rollsOut ? 1 : 0} of 1 replicas available`);
  expect((await run("migrate")).out).toBe("greetings.deploy.example.com: nothing to migrate; all are stored in v1\n");

  // A newer version that watches its namespace only: the ClusterRole goes, a Role comes.
  await writeFile(module, version("ConfigMap, Secret", "text"));
  const diff = await run(...deploy, "--dry-run");
  expect(diff.out).toMatch(
    /clusterrole\.rbac\.authorization\.k8s\.io\/\S+ configured \(server dry run\)\n {2}[~+] \.rules/,
  );
  const outdated = await run("doctor");
  expect(outdated.out).toMatch(/✘ permissions: ServiceAccount "greetings" may not \w+ secrets/);
  const narrowed = await run(...deploy, "--namespaced");
  expect(narrowed).toMatchObject({ code: 0 });
  expect(narrowed.out).toMatch(/clusterrole\.rbac\.authorization\.k8s\.io\/\S*greetings\S* pruned\n/);
  expect((await run("doctor")).out).toMatch(allowed);
  const own = { labels: { "applyset.kubernetes.io/part-of": await setId(client) } };
  expect((await client.listPage(Role, { ...own, namespace: "greetings-system" })).items.length).toBeGreaterThan(0);
  const roles = (await client.listPage(ClusterRole, own)).items.map(({ metadata }) => metadata.name);
  expect(roles.filter((name) => name.includes("manager"))).toEqual([]);

  await writeFile(module, version("ConfigMap, Secret", "other"));
  expect((await run("install")).err).toContain('Cannot apply CustomResourceDefinition "greetings.deploy.example.com"');
  await writeFile(module, version("ConfigMap, Secret", "text"));

  const Greeting = await client.kind("deploy.example.com/v1/Greeting");
  await client.create(Greeting, { metadata: { name: "kept", namespace: "default" } } as never);
  const gone = await run("undeploy");
  expect(gone).toMatchObject({ code: 0 });
  expect(gone.out).toContain("deployment.apps/greetings deleted\n");
  expect(gone.out).toContain("namespace/greetings-system deleted\n");
  expect(await client.find(ConfigMap, { namespace: "greetings-system", name: "kubewright-greetings" })).toBeUndefined();
  expect((await client.listPage(ClusterRole, own)).items).toEqual([]);
  expect((await run("undeploy")).err).toContain('it is not deployed in the namespace "greetings-system"');

  expect((await run("uninstall")).err).toContain(
    "deleting it would delete its objects (1); delete them first, or use --force",
  );
  expect(await run("uninstall", "--force")).toMatchObject({ code: 0, out: `${crd} deleted\n1 deleted\n` });
}

async function setId(client: Client): Promise<string> {
  const { metadata } = await client.get(ConfigMap, { namespace: "greetings-system", name: "kubewright-greetings" });
  return metadata.labels?.["applyset.kubernetes.io/id"] ?? "";
}
