/** An operator that issues the certificate of its webhooks itself, as a user with the permissions of the generated roles only. */
import { type AddressInfo, createServer } from "node:net";
import { generateManifests } from "@kubewright/codegen";
import { systemClock } from "@kubewright/core/clock";
import { type ControlPlane, startControlPlane } from "@kubewright/testing/control-plane";
import { type Client, createClient, isForbidden, operator, webhooks } from "kubewright";
import { ValidatingWebhookConfiguration } from "kubewright/k8s/admissionregistration/v1";
import { ConfigMap, Secret } from "kubewright/k8s/core/v1";
import { HttpsTransport, loadConnection } from "kubewright/transport";
import { webhookNames } from "kubewright/webhook";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";

let plane: ControlPlane;
let transport: HttpsTransport;
let client: Client;
beforeAll(async () => {
  plane = await startControlPlane();
  const connection = await loadConnection({ kubeconfig: plane.kubeconfigFile(plane.admin) });
  transport = new HttpsTransport(connection, { clock: systemClock });
  client = createClient(transport);
}, 120_000);
afterAll(async () => {
  await transport?.close();
  await plane?.stop();
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test("run issues the certificate of the webhooks and publishes its CA; the operator is ready when the API server can call them", async () => {
  const guarded = operator({
    name: "guard",
    webhooks: [
      webhooks(ConfigMap, {
        objectSelector: { matchLabels: { guarded: "true" } },
        validate: ({ object, deny }) => {
          if (object.data?.["allowed"] !== "true") deny("data[allowed]", "must be true");
        },
      }),
    ],
  });
  const [port, healthPort] = [await freePort(), await freePort()];
  const url = `https://127.0.0.1:${port}`;
  // The roles of a deployment in the cluster, bound to the user of this process, and configurations that refer to it.
  const roles = generateManifests({ operators: [guarded], namespace: "default" }).filter(
    ({ path }) => path.startsWith("rbac/") && !path.includes("service_account"),
  );
  const configurations = generateManifests({ operators: [guarded], webhookUrl: url }).filter(({ path }) =>
    path.startsWith("webhook/"),
  );
  for (const { text } of [...roles, ...configurations]) {
    const object = parse(text);
    if (object.subjects !== undefined)
      object.subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: plane.restricted.name }];
    await client.apply(await client.kind(`${object.apiVersion}/${object.kind}` as never), object, {
      fieldManager: "test",
    });
  }
  const stop = new AbortController();
  const running = guarded.run({
    kubeconfig: plane.kubeconfigFile(plane.restricted),
    webhookAddress: `127.0.0.1:${port}`,
    webhookCertificates: { namespace: "default", hosts: ["127.0.0.1"] },
    healthAddress: `127.0.0.1:${healthPort}`,
    logLevel: "error",
    signal: stop.signal,
  });
  try {
    const ready = async () => (await fetch(`http://127.0.0.1:${healthPort}/readyz`).catch(() => undefined))?.status;
    await Promise.race([expect.poll(ready, { timeout: 30_000 }).toBe(200), running]);
    const { validating, secret } = webhookNames("guard");
    const { webhooks: [webhook] = [] } = await client.get(ValidatingWebhookConfiguration, validating);
    expect(Buffer.from(webhook?.clientConfig.caBundle ?? "", "base64").toString()).toContain("BEGIN CERTIFICATE");
    expect(Object.keys((await client.get(Secret, secret)).data ?? {})).toContain("tls.crt");
    const guardedMap = (name: string, allowed: string) =>
      client.create(ConfigMap, { metadata: { name, labels: { guarded: "true" } }, data: { allowed } });
    // The API server observes the caBundle some time later.
    await expect
      .poll(
        () =>
          guardedMap("a", "true").then(
            () => "created",
            (error: Error) => error.message,
          ),
        { timeout: 30_000 },
      )
      .toBe("created");
    await expect(guardedMap("b", "no")).rejects.toThrow('data[allowed]: Invalid value: "no": must be true');
    const check = await fetch(`http://127.0.0.1:${healthPort}/readyz?verbose`);
    expect(await check.text()).toContain("[+]webhooks ok");
    const user = new HttpsTransport(await loadConnection({ kubeconfig: plane.kubeconfigFile(plane.restricted) }), {
      clock: systemClock,
    });
    const other = createClient(user).get(Secret, "other");
    expect(isForbidden(await other.catch((error: unknown) => error))).toBe(true);
    await user.close();
  } finally {
    stop.abort();
    await running;
  }
}, 120_000);
