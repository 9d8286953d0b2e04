import { CertificateAuthority } from "@kubewright/core/certificates";
import { systemClock } from "@kubewright/core/clock";
import { type ControlPlane, startControlPlane } from "@kubewright/testing/control-plane";
import { createClient, defineResource, installCRDs, z } from "kubewright";
import { migrateStored } from "kubewright/crd";
import { CustomResourceDefinition } from "kubewright/k8s/apiextensions/v1";
import { ClusterRole, ClusterRoleBinding } from "kubewright/k8s/rbac/v1";
import { deriveRules } from "kubewright/permissions";
import { HttpsTransport } from "kubewright/transport";
import { serveWebhooks, type WebhookServer } from "kubewright/webhook";
import { afterAll, beforeAll, expect, test } from "vitest";

const converted = <const K extends string>(kind: K, storage: "v1" | "v1alpha1") =>
  defineResource({
    group: "web.example.com",
    kind,
    hub: "v1",
    versions: {
      v1: {
        spec: z.object({ image: z.string(), replicas: z.int32().default(1), host: z.string().optional() }),
        status: z.object({ url: z.string() }),
        storage: storage === "v1",
      },
      v1alpha1: { spec: z.object({ image: z.string(), size: z.int32() }), storage: storage === "v1alpha1" },
    },
    convert: {
      v1alpha1: {
        toHub: ({ spec }) => ({ spec: { image: spec.image, replicas: spec.size } }),
        fromHub: ({ spec }) => {
          if (spec.image === "broken") throw new Error("no such image");
          return { spec: { image: spec.image, size: spec.replicas } };
        },
      },
    },
  });
const Website = converted("Website", "v1");
const Page = converted("Page", "v1");
const authority = new CertificateAuthority("webhooks");

let plane: ControlPlane;
let transport: HttpsTransport;
const transportOf = ({ token }: { readonly token: string }): HttpsTransport =>
  new HttpsTransport(
    {
      server: plane.url,
      caCertificate: plane.caCertificate,
      credentials: { kind: "token", token },
      namespace: "default",
    },
    { clock: systemClock },
  );
const serve = (): Promise<WebhookServer> => {
  const certificate = authority.issueServer("webhooks", ["127.0.0.1"]);
  return serveWebhooks({ resources: [Website, Page], address: "127.0.0.1:0", certificate });
};
const addressOf = ({ port }: WebhookServer) => ({
  url: `https://127.0.0.1:${port}/convert`,
  caBundle: Buffer.from(authority.certificate).toString("base64"),
});

beforeAll(async () => {
  plane = await startControlPlane();
  transport = transportOf(plane.admin);
}, 120_000);
afterAll(async () => {
  await transport?.close();
  await plane?.stop();
});

test("a real server converts in both directions with the webhook, preserves fields that a version lacks, and reports conversion failures", async () => {
  await using hooks = await serve();
  const client = createClient(transport);
  const install = { client, clock: systemClock, fieldManager: "test" };
  await expect(installCRDs([Website], install)).rejects.toThrow("set where they are served with `conversionWebhook`");
  await installCRDs([Website], { ...install, conversionWebhook: addressOf(hooks) });
  await client.create(Website, {
    metadata: { name: "shop" },
    spec: { image: "shop:1", replicas: 3, host: "shop.example.com" },
  });
  await client.patchStatus(Website, "shop", { merge: { status: { url: "https://shop" } } });

  const old = await client.get(Website.v1alpha1, "shop");
  expect(old.spec).toEqual({ image: "shop:1", size: 3 });
  await client.patch(Website.v1alpha1, "shop", { merge: { spec: { size: 5 } } });
  const { spec, status, metadata } = await client.get(Website, "shop");
  expect(spec).toEqual({ image: "shop:1", replicas: 5, host: "shop.example.com" });
  expect(status).toEqual({ url: "https://shop" });
  expect(metadata.annotations).toBeUndefined();

  await client.create(Website.v1alpha1, { metadata: { name: "old" }, spec: { image: "old:1", size: 2 } });
  expect((await client.get(Website, "old")).spec).toEqual({ image: "old:1", replicas: 2 });
  const listed = await client.listPage(Website.v1alpha1);
  expect(listed.items.map((item) => item.spec.size)).toEqual([2, 5]);

  await client.create(Website, { metadata: { name: "broken" }, spec: { image: "broken" } });
  await expect(client.get(Website.v1alpha1, "broken")).rejects.toThrow(
    'Cannot convert Website "default/broken" from "web.example.com/v1" to "web.example.com/v1alpha1": no such image',
  );
  await client.delete(Website, "broken");
}, 60_000);

test("objects stored in another version are migrated with the derived permissions, and that version can be removed", async () => {
  await using hooks = await serve();
  const admin = createClient(transport);
  const install = { client: admin, clock: systemClock, fieldManager: "test", conversionWebhook: addressOf(hooks) };
  await installCRDs([converted("Page", "v1alpha1")], install);
  for (let index = 0; index < 30; index++)
    await admin.create(Page, { metadata: { name: `w${index}` }, spec: { image: "a", replicas: index, host: "b" } });
  await installCRDs([Page], install);
  const stored = async () =>
    (await admin.get(CustomResourceDefinition, "pages.web.example.com")).status?.storedVersions;
  expect(await stored()).toEqual(["v1alpha1", "v1"]);

  const metadata = { name: "migration" };
  const access = { kind: Page, owns: [], uses: [], watches: [] };
  await admin.create(ClusterRole, { metadata, rules: deriveRules([access], { migrateStored: true }) });
  await admin.create(ClusterRoleBinding, {
    metadata,
    subjects: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: plane.restricted.name }],
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "migration" },
  });
  const restricted = transportOf(plane.restricted);
  try {
    const seen: number[] = [];
    const onProgress = ({ done }: { readonly done: number }): void => {
      seen.push(done);
    };
    const report = await migrateStored(Page, { client: createClient(restricted), pageSize: 10, onProgress });
    expect(report).toEqual({ from: ["v1alpha1"], to: "v1", objects: 30 });
    expect(seen).toEqual([10, 20, 30]);
  } finally {
    await restricted.close();
  }
  expect(await stored()).toEqual(["v1"]);

  // Without the old version and without a webhook, an object that was not migrated could not be read.
  await hooks.close();
  const Only = defineResource({
    group: "web.example.com",
    kind: "Page",
    versions: { v1: { spec: z.object({ image: z.string(), replicas: z.int32(), host: z.string().optional() }) } },
  });
  await admin.patch(CustomResourceDefinition, "pages.web.example.com", {
    json: [{ op: "remove", path: "/spec/conversion" }],
  });
  await installCRDs([Only], { ...install, allowUnsafe: true });
  expect((await admin.get(Only, "w7")).spec).toEqual({ image: "a", replicas: 7, host: "b" });
}, 60_000);
