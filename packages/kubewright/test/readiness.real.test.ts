import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CertificateAuthority } from "@kubewright/core/certificates";
import { systemClock } from "@kubewright/core/clock";
import { type ControlPlane, startControlPlane } from "@kubewright/testing/control-plane";
import { controller, createClient, defineResource, installCRDs, operator, z } from "kubewright";
import { HttpsTransport, loadConnection } from "kubewright/transport";
import { afterAll, beforeAll, expect, test } from "vitest";

const converted = <const K extends string>(kind: K, storage: "v1" | "v1alpha1") =>
  defineResource({
    group: "ready.example.com",
    kind,
    hub: "v1",
    versions: {
      v1: { spec: z.object({ replicas: z.int32() }), storage: storage === "v1" },
      v1alpha1: { spec: z.object({ size: z.int32() }), storage: storage === "v1alpha1" },
    },
    convert: {
      v1alpha1: {
        toHub: ({ spec }) => ({ spec: { replicas: spec.size } }),
        fromHub: ({ spec }) => ({ spec: { size: spec.replicas } }),
      },
    },
  });

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
}, 120_000);
afterAll(() => plane?.stop());

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Forwards connections as a Service does that does not publish not-ready addresses: only while the pod is ready, and not at once, because endpoints
 * follow the readiness.
 */
function serviceOf(webhookPort: number, healthPort: number): Server {
  let hasEndpoints = false;
  return createServer((incoming) => {
    incoming.on("error", () => {});
    fetch(`http://127.0.0.1:${healthPort}/readyz`).then(
      ({ ok }) => {
        const isRouted = hasEndpoints;
        hasEndpoints = ok;
        if (!isRouted) return incoming.destroy();
        const pod = connect(webhookPort, "127.0.0.1");
        pod.on("error", () => incoming.destroy());
        return incoming.pipe(pod).pipe(incoming);
      },
      () => incoming.destroy(),
    );
  });
}

test.each([
  { kind: "Page", migrateStored: false },
  { kind: "Website", migrateStored: true },
] as const)(
  "an operator whose caches need its own conversion webhook gets ready (migrateStored: $migrateStored)",
  async ({ kind, migrateStored }) => {
    const folder = await mkdtemp(join(tmpdir(), "kubewright-readiness-"));
    const authority = new CertificateAuthority("webhooks");
    const { certificate, privateKey } = authority.issueServer("webhooks", ["127.0.0.1"]);
    await writeFile(join(folder, "tls.crt"), certificate);
    await writeFile(join(folder, "tls.key"), privateKey);
    const [webhookPort, healthPort] = [await freePort(), await freePort()];
    const service = serviceOf(webhookPort, healthPort);
    const url = `https://127.0.0.1:${await listening(service)}/convert`;
    const kubeconfig = plane.kubeconfigFile(plane.admin);
    const transport = new HttpsTransport(await loadConnection({ kubeconfig }), { clock: systemClock });
    const client = createClient(transport);
    const stop = new AbortController();
    try {
      const Old = converted(kind, "v1alpha1");
      const conversionWebhook = { url, caBundle: Buffer.from(authority.certificate).toString("base64") };
      const install = { client, clock: systemClock, fieldManager: "test", conversionWebhook };
      await installCRDs([Old], install);
      await client.create(Old.v1alpha1, { metadata: { name: "stored-in-old-version" }, spec: { size: 3 } });
      const Hub = converted(kind, "v1");
      let ended: Promise<void> | undefined;
      const replicas = await new Promise<number>((resolve, reject) => {
        const reconciling = controller(Hub, { reconcile: ({ object }) => resolve(object.spec.replicas) });
        ended = operator({ name: "websites", controllers: [reconciling] }).run({
          kubeconfig,
          webhookAddress: `127.0.0.1:${webhookPort}`,
          webhookCertDir: folder,
          healthAddress: `127.0.0.1:${healthPort}`,
          installCRDs: { conversionWebhook, migrateStored },
          logLevel: "error",
          signal: stop.signal,
        });
        ended.catch(reject);
      });
      expect(replicas).toBe(3);
      expect((await fetch(`http://127.0.0.1:${healthPort}/readyz`)).status).toBe(200);
      stop.abort();
      await ended;
    } finally {
      stop.abort();
      service.close();
      await transport.close();
      await rm(folder, { recursive: true });
    }
  },
  120_000,
);
