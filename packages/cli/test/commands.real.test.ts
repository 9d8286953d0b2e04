/** Commands that work on a cluster, on a real control plane. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { startControlPlane } from "@kubewright/testing/control-plane";
import { connect, waitFor } from "kubewright";
import { Deployment } from "kubewright/k8s/apps/v1";
import { ConfigMap } from "kubewright/k8s/core/v1";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "../src/run-command.js";
import { deployFlow } from "./deploy-flow.js";
import { planFlow } from "./plan-flow.js";

let plane: Awaited<ReturnType<typeof startControlPlane>>;
beforeAll(async () => {
  plane = await startControlPlane();
});
afterAll(() => plane.stop());

test("an operator is installed, deployed, replaced by a newer version, and removed with all that it brought", async () => {
  const kubeconfig = plane.kubeconfigFile(plane.admin);
  await using client = await connect({ kubeconfig });
  // Without a controller-manager no Deployment rolls out.
  await deployFlow(client, kubeconfig, { rollsOut: false });
}, 120_000);

test("plan prints what a newer operator would change, and a real API server stores nothing", async () => {
  await planFlow(plane.kubeconfigFile(plane.admin));
}, 120_000);

test("the Foo operator, unchanged, is installed and run by two commands, converges, and repairs what others change", async () => {
  const kubeconfig = plane.kubeconfigFile(plane.admin);
  await using client = await connect({ kubeconfig });
  const module = join(import.meta.dirname, "..", "..", "..", "operators", "foo", "src", "index.ts");
  let [out, err] = ["", ""];
  const streams = { out: { write: (text: string) => (out += text) }, err: { write: (text: string) => (err += text) } };
  expect(await runCommand(["install", module, "--kubeconfig", kubeconfig], streams)).toBe(0);
  expect(out).toContain("foos.samplecontroller.k8s.io created\n");

  const stop = new AbortController();
  const port = String(await freePort());
  const url = `https://127.0.0.1:${port}`;
  const flags = ["--kubeconfig", kubeconfig, "--webhook-url", url, "--webhook-port", port, "--install-crds"];
  const running = runCommand(["run", module, "--", ...flags], { ...streams, signal: stop.signal });
  try {
    const Foo = await client.kind("samplecontroller.k8s.io/v1alpha1/Foo");
    const shop = { metadata: { name: "shop" }, spec: { deploymentName: "web", replicas: 2 } };
    await Promise.race([expect.poll(() => created(), { timeout: 30_000 }).toBe(true), failure()]);
    const replicas = (wanted: number) => ({
      timeout: "20s" as const,
      until: (deployment: { readonly spec: { readonly replicas?: number | undefined } } | undefined) =>
        deployment?.spec.replicas === wanted,
    });
    await waitFor(client, Deployment, "web", replicas(2));
    const { metadata } = await client.get(Deployment, "web");
    await client.patch(Deployment, "web", { merge: { spec: { replicas: 7 } } });
    await waitFor(client, Deployment, "web", replicas(2));
    await client.delete(Deployment, "web");
    await waitFor(client, Deployment, "web", {
      timeout: "20s",
      until: (deployment) => deployment !== undefined && deployment.metadata.uid !== metadata.uid,
    });
    await client.patch(Foo, "shop" as never, { merge: { spec: { replicas: 3 } } } as never);
    await waitFor(client, Deployment, "web", replicas(3));

    /** The API server calls the operator for this, so it fails until its webhooks are served. */
    async function created(): Promise<boolean> {
      return await client.create(Foo, shop as never).then(
        () => true,
        () => false,
      );
    }
  } finally {
    stop.abort();
    await running;
  }
  expect({ code: await running, err }).toEqual({ code: 0, err: "" });

  async function failure(): Promise<never> {
    throw new Error(`kubewright run ended with ${await running}: ${err}${out}`);
  }
}, 120_000);

test("dev runs an operator with conversions on a cluster of the user's", async () => {
  const kubeconfig = plane.kubeconfigFile(plane.admin);
  await using client = await connect({ kubeconfig });
  const scratch = join(import.meta.dirname, "..", ".kubewright");
  await mkdir(scratch, { recursive: true });
  const folder = await mkdtemp(join(scratch, "dev-"));
  const stop = new AbortController();
  const lines: Record<string, unknown>[] = [];
  const write = (text: string): unknown => lines.push(JSON.parse(text) as Record<string, unknown>);
  const streams = { out: { write }, err: { write: (text: string) => lines.push({ type: "error", text }) } };
  try {
    const module = join(folder, "operator.ts");
    await writeFile(module, versioned);
    const args = ["dev", module, "--kubeconfig", kubeconfig, "--no-type-check", "-o", "json"];
    const ended = runCommand(args, { ...streams, signal: stop.signal });
    await expect.poll(() => lines[0], { timeout: 20_000 }).toMatchObject({ type: "ready", operator: "pages" });
    const Page = await client.kind("dev.example.com/v1/Page");
    await client.create(Page, { metadata: { name: "first" }, spec: { title: "a" } } as never);
    const run = expect.objectContaining({ type: "run", key: "default/first" });
    await expect.poll(() => lines, { timeout: 20_000 }).toContainEqual(run);
    expect((await client.get(ConfigMap, "first")).data).toEqual({ title: "a" });
    stop.abort();
    expect(await ended).toBe(0);
  } finally {
    stop.abort();
    await rm(folder, { recursive: true });
  }
}, 60_000);

const versioned = `
import { controller, defineResource, operator, z } from "kubewright";
import { ConfigMap } from "kubewright/k8s/core/v1";

const spec = z.object({ title: z.string() });
const Page = defineResource({
  group: "dev.example.com",
  kind: "Page",
  hub: "v1",
  versions: { v1: { spec }, v1beta1: { spec } },
  convert: { v1beta1: { toHub: ({ spec }) => ({ spec }), fromHub: ({ spec }) => ({ spec }) } },
});
const pages = controller(Page, {
  owns: [ConfigMap],
  reconcile: async ({ object, apply }) => {
    await apply(ConfigMap, { metadata: { name: object.metadata.name }, data: { title: object.spec.title } });
  },
});
export const pageOperator = operator({ name: "pages", controllers: [pages] });
`;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
