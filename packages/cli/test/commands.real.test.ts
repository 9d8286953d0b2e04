/** Commands that work on a cluster, on a real control plane. */
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { startControlPlane } from "@kubewright/testing/control-plane";
import { connect, waitFor } from "kubewright";
import { Deployment } from "kubewright/k8s/apps/v1";
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

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
