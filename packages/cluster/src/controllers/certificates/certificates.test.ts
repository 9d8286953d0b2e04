import { X509Certificate } from "node:crypto";
import { CertificateSigningRequest } from "kubewright/k8s/certificates/v1";
import { ConfigMap } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { startVirtualCluster } from "../../../test/virtual-cluster.js";

/** Common name `someone`; created with openssl. */
const request =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlITk1IUUNBUUF3RWpFUU1BNEdBMVVFQXd3SGMyOXRaVzl1WlRCWk1CTUdCeX" +
  "FHU000OUFnRUdDQ3FHU000OQpBd0VIQTBJQUJLWHlqYW5YemJkOXY0ZE5OVWdBL0IzNjFaR1o2V0xaaVJZd3ExWUtyR2x6eGlidHZYd0NqblM5" +
  "CkRicXd1aGxWNTFyV2F5RU5pNk9uREt0LzdYY3g1bU9nQURBS0JnZ3Foa2pPUFFRREFnTkpBREJHQWlFQTA3em0KNGRXZUQxTmM2NTFaQ1BiSD" +
  "VOZExJcFhyVVByanMzV2lZVHRlVjU4Q0lRQ29IM3U1T2hFZW4rWkkzUFNFT2ZndQo0azllQ2NtVVFCY2RsbDVFWUM0OWdnPT0KLS0tLS1FTkQg" +
  "Q0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==";
const hour = 3_600;

test("an approved CSR is signed for its expirationSeconds and deleted after an hour; a pending CSR is deleted after a day", async () => {
  await using world = await startVirtualCluster({ nodes: 0 });
  const { client, clock, rest, advance } = world;
  const spec = { request, signerName: "kubernetes.io/kube-apiserver-client", usages: ["client auth"] as const };
  const startMs = clock.now();
  for (const name of ["signed", "open"])
    await client.create(CertificateSigningRequest, {
      metadata: { name },
      spec: { ...spec, expirationSeconds: 2 * hour },
    });
  const approved = { type: "Approved", status: "True", reason: "Test", message: "by hand" };
  const approval = client.subresource(CertificateSigningRequest, "signed", "approval");
  await approval.patch({ merge: { status: { conditions: [approved] } } });
  await rest();
  const { status } = await client.get(CertificateSigningRequest, "signed");
  const certificate = new X509Certificate(Buffer.from(status?.certificate ?? "", "base64"));
  const root = await client.get(ConfigMap, { namespace: "default", name: "kube-root-ca.crt" });
  expect(certificate.verify(new X509Certificate(root.data?.["ca.crt"] ?? "").publicKey)).toBe(true);
  expect(certificate.subject).toBe("CN=someone");
  const endsMs = Date.parse(certificate.validTo);
  expect([Date.parse(certificate.validFrom) - startMs, endsMs - startMs]).toEqual([-300_000, 2 * hour * 1_000]);
  const names = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const { metadata } of client.list(CertificateSigningRequest)) found.push(metadata.name);
    return found;
  };
  await advance(hour - 2);
  expect(await names()).toEqual(["open", "signed"]);
  await advance(2);
  expect(await names()).toEqual(["open"]);
  await advance(23 * hour);
  expect(await names()).toEqual([]);
});
