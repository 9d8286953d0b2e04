import { X509Certificate } from "node:crypto";
import { createClient } from "kubewright";
import { CertificateSigningRequest } from "kubewright/k8s/certificates/v1";
import { ConfigMap } from "kubewright/k8s/core/v1";
import { ClusterRole, ClusterRoleBinding } from "kubewright/k8s/rbac/v1";
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

/** Common name `system:node:n1`, organization `system:nodes`; created with openssl. */
const nodeRequest =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIc01JR1NBZ0VBTURBeEZUQVRCZ05WQkFvTURITjVjM1JsYlRwdWIyUmxjekVYTU" +
  "JVR0ExVUVBd3dPYzNsegpkR1Z0T201dlpHVTZiakV3V1RBVEJnY3Foa2pPUFFJQkJnZ3Foa2pPUFFNQkJ3TkNBQVNjeVpDR2JzcCswZUhzCkN3NG" +
  "s3b2VBY1FOM2draG9BV0U1QmlyT1dvTmg5aDlXUEMvcXN3NE1EdnB1ZDErejNNNlVlYXIrczhSdnJhTEIKUkxUdWRJaXpvQUF3Q2dZSUtvWkl6aj" +
  "BFQXdJRFNRQXdSZ0loQU12aUJuTjVnbXpndktzWTNoOFpOWmxTNFZwZApyVHErbEhScUxIL3lVRlFOQWlFQTJtQk5mZ0d0ZEYzRzcvb0tMdVNMUT" +
  "VZOHZlV3pBTmpCMklXQkpPa3p1MWs9Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=";

test("a kubelet CSR is approved only if its requester may create nodeclient, or selfnodeclient for its own certificate", async () => {
  await using world = await startVirtualCluster({ nodes: 0 });
  const { client, cluster, rest, advance } = world;
  const signerName = "kubernetes.io/kube-apiserver-client-kubelet";
  const usages = ["digital signature", "client auth"] as const;
  const role = "system:certificates.k8s.io:certificatesigningrequests:";
  const bind = (name: string, part: string, kind: string, subject: string) =>
    client.create(ClusterRoleBinding, {
      metadata: { name },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: part },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind, name: subject }],
    });
  await client.create(ClusterRole, {
    metadata: { name: "requester" },
    rules: [{ apiGroups: ["certificates.k8s.io"], resources: ["certificatesigningrequests"], verbs: ["create"] }],
  });
  await bind("requesters", "requester", "Group", "system:authenticated");
  await bind("self", `${role}selfnodeclient`, "Group", "system:nodes");
  const ask = async (name: string, user: string, groups: readonly string[]): Promise<void> => {
    const requester = createClient(cluster.as({ user, groups }));
    await requester.create(CertificateSigningRequest, {
      metadata: { name },
      spec: { request: nodeRequest, signerName, usages },
    });
  };
  const approvals = async (name: string): Promise<readonly (string | undefined)[]> =>
    ((await client.get(CertificateSigningRequest, name)).status?.conditions ?? []).map(({ message }) => message);

  await ask("own", "system:node:n1", ["system:nodes"]);
  await ask("bootstrap", "joe", ["bootstrappers"]);
  await ask("other", "system:node:n2", ["system:nodes"]);
  await rest();
  expect(await approvals("own")).toEqual(["Auto approving self kubelet client certificate after SubjectAccessReview."]);
  expect(await approvals("bootstrap")).toEqual([]);
  expect(await approvals("other")).toEqual([]);

  await bind("bootstrappers", `${role}nodeclient`, "Group", "bootstrappers");
  await advance(5);
  expect(await approvals("bootstrap")).toEqual([
    "Auto approving kubelet client certificate after SubjectAccessReview.",
  ]);
  expect(await approvals("other")).toEqual([]);
});
