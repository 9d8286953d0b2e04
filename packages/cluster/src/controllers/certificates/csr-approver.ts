import { type Client, isConflict, isNotFound, type RawController, rawController, watch } from "kubewright";
import { SubjectAccessReview } from "kubewright/k8s/authorization/v1";
import { CertificateSigningRequest } from "kubewright/k8s/certificates/v1";
import { conditionTime, parsedRequest, type ReadCsr } from "./csr-state.js";
import { checkKubeletClient, kubeletClientSigner } from "./signer-rules.js";

/** The subresource that the requester must be allowed to create, and the message of the approval. */
interface Permission {
  readonly subresource: "selfnodeclient" | "nodeclient";
  readonly message: string;
}

const selfNodeClient: Permission = {
  subresource: "selfnodeclient",
  message: "Auto approving self kubelet client certificate after SubjectAccessReview.",
};
const nodeClient: Permission = {
  subresource: "nodeclient",
  message: "Auto approving kubelet client certificate after SubjectAccessReview.",
};

/**
 * Approves CSRs for kubelet client certificates whose requester may create the subresource `nodeclient`, or `selfnodeclient` for a certificate of
 * its own name. A CSR without that permission is checked again later. `client` writes approvals and SubjectAccessReviews.
 */
export function csrApprover(client: Client): RawController {
  return rawController({
    name: "csrapproving",
    fieldManager: "kube-controller-manager",
    watches: [watch(CertificateSigningRequest, { to: ({ metadata }) => metadata.name })],
    reconcile: async ({ key: name, find, requeueAfter, clock }) => {
      const request = await find(CertificateSigningRequest, name);
      if (request === undefined || (request.status?.certificate ?? "") !== "") return;
      if (request.spec?.signerName !== kubeletClientSigner) return;
      if (conditionTime(request, "Approved") !== undefined || conditionTime(request, "Denied") !== undefined) return;
      const parsed = parsedRequest(request);
      if (parsed === undefined || checkKubeletClient(parsed, request.spec.usages ?? []) !== undefined) return;
      const isOwn = request.spec.username === parsed.commonName;
      const permission = await grantedOf(client, request, isOwn ? [selfNodeClient, nodeClient] : [nodeClient]);
      if (permission === undefined) {
        // As the rate limiter of kube-controller-manager: each delay doubles, from 200 ms to 1,000 s.
        const ageMs = clock.now() - Date.parse(request.metadata.creationTimestamp ?? "");
        return requeueAfter(`${Math.min(Math.max(ageMs, 200), 1_000_000)}ms`);
      }
      const { message } = permission;
      const approved = { type: "Approved", status: "True", reason: "AutoApproved", message } as const;
      const conditions = [...(request.status?.conditions ?? []), approved];
      const merge = { metadata: { resourceVersion: request.metadata.resourceVersion }, status: { conditions } };
      try {
        const approval = client.subresource(CertificateSigningRequest, name, "approval");
        await approval.patch({ merge }, { fieldManager: "kube-controller-manager" });
      } catch (error) {
        // It was changed or deleted; the watch event triggers the next reconcile.
        if (!isConflict(error) && !isNotFound(error)) throw error;
      }
    },
  });
}

/** The first of the permissions that the requester has. */
async function grantedOf(
  client: Client,
  { spec }: ReadCsr,
  permissions: readonly Permission[],
): Promise<Permission | undefined> {
  const { username: user = "", uid = "", groups = [], extra = {} } = spec ?? {};
  for (const permission of permissions) {
    const { subresource } = permission;
    const resource = { group: "certificates.k8s.io", version: "*", resource: "certificatesigningrequests" };
    const resourceAttributes = { ...resource, verb: "create", subresource };
    // Reviews are not stored: they have no metadata.
    const review = { spec: { user, uid, groups, extra, resourceAttributes } };
    const { status } = await client.create(SubjectAccessReview, review as never);
    if (status?.allowed === true) return permission;
  }
  return undefined;
}
