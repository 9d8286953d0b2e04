import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCluster } from "@kubewright/cluster";
import { expect, test } from "vitest";
import { createClient } from "../client/index.js";
import { ValidatingWebhookConfiguration } from "../k8s/admissionregistration/v1.gen.js";
import { ConfigMap } from "../k8s/core/v1.gen.js";
import { webhookNames, webhooks } from "../webhook/index.js";
import { operator } from "./operator.js";

const guarding = operator({
  name: "guard",
  webhooks: [
    webhooks(ConfigMap, {
      objectSelector: { matchLabels: { guarded: "true" } },
      validate: ({ object, deny }) => {
        if (object.data === undefined) deny("data", "is empty");
      },
    }),
  ],
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test("with webhookUrl, run serves the webhooks and installs their configurations until it stops", async () => {
  const folder = await mkdtemp(join(tmpdir(), "kubewright-webhooks-"));
  const cluster = await startCluster();
  const stop = new AbortController();
  let running: Promise<void> | undefined;
  try {
    const kubeconfig = join(folder, "kubeconfig");
    await writeFile(kubeconfig, (await cluster.listen()).kubeconfig);
    const client = createClient(cluster.transport);
    const { validating } = webhookNames("guard");
    const [port, healthPort] = [await freePort(), await freePort()];
    running = guarding.run({
      kubeconfig,
      webhookUrl: `https://127.0.0.1:${port}/`,
      webhookAddress: `127.0.0.1:${port}`,
      healthAddress: `127.0.0.1:${healthPort}`,
      logLevel: "error",
      signal: stop.signal,
    });
    const installed = expect.poll(() => client.find(ValidatingWebhookConfiguration, validating), { timeout: 20_000 });
    await Promise.race([installed.toBeDefined(), running]);
    const metadata = { name: "empty", labels: { guarded: "true" } };
    await expect(client.create(ConfigMap, { metadata })).rejects.toThrow("data: Required value: is empty");
    expect(await client.create(ConfigMap, { metadata, data: { a: "b" } })).toMatchObject({ data: { a: "b" } });
    const ready = await fetch(`http://127.0.0.1:${healthPort}/readyz?verbose`);
    expect(await ready.text()).toContain("[+]webhooks ok");
    stop.abort();
    await running;
    expect(await client.find(ValidatingWebhookConfiguration, validating)).toBeUndefined();
  } finally {
    stop.abort();
    await running?.catch(() => {});
    await cluster.close();
    await rm(folder, { recursive: true });
  }
});

test("webhookCertificates without a namespace are rejected outside a pod, and so are missing files", async () => {
  const run = (options: Parameters<typeof guarding.run>[0]) => guarding.run({ logLevel: "error", ...options });
  const folder = await mkdtemp(join(tmpdir(), "kubewright-webhooks-"));
  try {
    const kubeconfig = join(folder, "kubeconfig");
    await writeFile(
      kubeconfig,
      JSON.stringify({
        apiVersion: "v1",
        kind: "Config",
        "current-context": "a",
        clusters: [{ name: "a", cluster: { server: "https://127.0.0.1:1" } }],
        contexts: [{ name: "a", context: { cluster: "a", user: "a" } }],
        users: [{ name: "a", user: {} }],
      }),
    );
    const address = { kubeconfig, webhookAddress: "127.0.0.1:0" };
    await expect(run({ ...address, webhookCertificates: {} })).rejects.toThrow(
      "the namespace is unknown outside a pod",
    );
    await expect(run({ ...address, webhookCertDir: folder })).rejects.toThrow("Cannot read the certificate");
  } finally {
    await rm(folder, { recursive: true });
  }
});
