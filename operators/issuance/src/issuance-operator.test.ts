import { fileURLToPath } from "node:url";
import { PermissionLog, type TestCluster, testCluster } from "@kubewright/testing";
import { CustomResourceDefinition } from "kubewright/k8s/apiextensions/v1";
import { Event } from "kubewright/k8s/events/v1";
import { Ingress } from "kubewright/k8s/networking/v1";
import { expect, test } from "vitest";
import { Certificate, issuanceOperator, SecureSite } from "./index.js";

const pathOf = (folder: string): string => fileURLToPath(new URL(`../${folder}`, import.meta.url));
const manifests = [pathOf("crds"), pathOf("samples")];
const crdName = "certificates.cert-manager.io";

/** What cert-manager does when a certificate is issued. */
async function issue(cluster: TestCluster, notAfter: string): Promise<void> {
  const conditions = [{ type: "Ready", status: "True", reason: "Ready" } as const];
  await cluster.patchStatus(Certificate, "shop", { merge: { status: { notAfter, conditions } } });
  await cluster.settle();
}

test("a SecureSite requests a certificate, and is served once it is issued", async () => {
  await using cluster = await testCluster(issuanceOperator, { manifests });
  await cluster.settle();
  expect((await cluster.get(Certificate, "shop")).spec).toEqual({
    secretName: "shop-tls",
    dnsNames: ["shop.example.com"],
    issuerRef: { name: "letsencrypt", kind: "ClusterIssuer" },
  });
  expect((await cluster.conditions(SecureSite, "shop")).Ready?.reason).toBe("CertificatePending");
  expect(await cluster.find(Ingress, "shop")).toBeUndefined();

  await issue(cluster, "2030-06-01T00:00:00Z");
  expect((await cluster.conditions(SecureSite, "shop")).Ready?.reason).toBe("Serving");
  expect((await cluster.get(Ingress, "shop")).spec?.tls).toEqual([
    { hosts: ["shop.example.com"], secretName: "shop-tls" },
  ]);

  await issue(cluster, "2030-09-01T00:00:00Z");
  expect((await cluster.get(SecureSite, "shop")).status?.certificateExpires).toBe("2030-09-01T00:00:00Z");
});

test("a changed host is requested, and a deleted Certificate created again", async () => {
  await using cluster = await testCluster(issuanceOperator, { manifests });
  await cluster.settle();
  await cluster.patch(SecureSite, "shop", { merge: { spec: { host: "store.example.com" } } });
  await cluster.settle();
  expect((await cluster.get(Certificate, "shop")).spec.dnsNames).toEqual(["store.example.com"]);
  await cluster.delete(Certificate, "shop");
  await cluster.settle();
  expect((await cluster.get(Certificate, "shop")).spec.dnsNames).toEqual(["store.example.com"]);
});

test("a Certificate that is not renewed gets a Warning event two weeks before it expires", async () => {
  await using cluster = await testCluster(issuanceOperator, { manifests });
  const warnings = async (): Promise<number> => {
    let count = 0;
    for await (const { reason } of cluster.list(Event)) if (reason === "CertificateExpiring") count += 1;
    return count;
  };
  await cluster.settle();
  const inDays = (days: number): string => new Date(cluster.clock.now() + days * 86_400_000).toISOString();
  await issue(cluster, inDays(17));
  await cluster.advance("71h");
  expect(await warnings()).toBe(0);
  await cluster.advance("2h");
  expect(await warnings()).toBe(1);
});

test("an operator that installs its CRDs leaves those of cert-manager's chart as they are, managedFields included", async () => {
  await using cluster = await testCluster(issuanceOperator, { start: false, crds: [pathOf("crds")] });
  // As the chart installs it: by one field manager. The test's own releases its fields.
  const { spec, metadata } = await cluster.get(CustomResourceDefinition, crdName);
  const chart = { metadata: { name: crdName, labels: metadata.labels ?? {} }, spec };
  await cluster.apply(CustomResourceDefinition, chart, { fieldManager: "helm", force: true });
  await cluster.apply(CustomResourceDefinition, { metadata: { name: crdName } } as never, { fieldManager: "test" });
  await cluster.settle();
  const before = await cluster.get(CustomResourceDefinition, crdName);
  expect(
    before.metadata.managedFields?.filter(({ subresource }) => !subresource).map(({ manager }) => manager),
  ).toEqual(["helm"]);

  const { transport, clock, namespace } = cluster;
  const running = await issuanceOperator.start({ transport, clock, namespace, installCRDs: true });
  await cluster.create(SecureSite, {
    metadata: { name: "shop" },
    spec: { host: "shop.example.com", service: "shop", issuer: "letsencrypt" },
  });
  for (let tries = 0; tries < 20 && !(await cluster.find(Certificate, "shop")); tries++) await cluster.settle();
  expect(await cluster.find(Certificate, "shop")).toBeDefined();
  await running.stop();

  const after = await cluster.get(CustomResourceDefinition, crdName);
  expect(JSON.stringify(after)).toBe(JSON.stringify(before));
  // The operator's own CRD is installed, by the operator.
  const own = await cluster.get(CustomResourceDefinition, "securesites.sites.example.com");
  expect(own.metadata.managedFields?.map(({ manager }) => manager)).toContain("issuance-operator");
  // The next upgrade of the chart does not conflict.
  const upgraded = await cluster.apply(CustomResourceDefinition, chart, { fieldManager: "helm" });
  expect(upgraded.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
});

test("the operator uses exactly the permissions of its role", async () => {
  const permissions = new PermissionLog();
  await using cluster = await testCluster(issuanceOperator, { manifests, permissions });
  await cluster.settle();
  await issue(cluster, "2030-06-01T00:00:00Z");
  await issue(cluster, new Date(cluster.clock.now()).toISOString());
  permissions.check(issuanceOperator.rules(), {
    neverUsed: [
      "patch events.events.k8s.io", // for repeats
      "patch certificates/status.cert-manager.io", // observed, not written
      "delete certificates.cert-manager.io", // by garbage collection
      "delete ingresses.networking.k8s.io",
      "get certificates.cert-manager.io", // after a conflict
      "get ingresses.networking.k8s.io",
      "get securesites.sites.example.com",
      "patch securesites.sites.example.com", // for a finalizer, which it does not have
    ],
  });
});
