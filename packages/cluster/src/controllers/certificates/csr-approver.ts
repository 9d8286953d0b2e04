import { type Client, isConflict, isNotFound, type RawController, rawController, watch } from "kubewright";
import { CertificateSigningRequest } from "kubewright/k8s/certificates/v1";
import { conditionTime, parsedRequest } from "./csr-state.js";
import { checkKubeletClient, kubeletClientSigner } from "./signer-rules.js";

/** Approves CSRs for kubelet client certificates. The SubjectAccessReview is skipped: clients have all rights. `client` writes approvals. */
export function csrApprover(client: Client): RawController {
  return rawController({
    name: "csrapproving",
    fieldManager: "kube-controller-manager",
    watches: [watch(CertificateSigningRequest, { to: ({ metadata }) => metadata.name })],
    reconcile: async ({ key: name, find }) => {
      const request = await find(CertificateSigningRequest, name);
      if (request === undefined || (request.status?.certificate ?? "") !== "") return;
      if (request.spec?.signerName !== kubeletClientSigner) return;
      if (conditionTime(request, "Approved") !== undefined || conditionTime(request, "Denied") !== undefined) return;
      const parsed = parsedRequest(request);
      if (parsed === undefined || checkKubeletClient(parsed, request.spec.usages ?? []) !== undefined) return;
      const isOwn = request.spec.username === parsed.commonName;
      const approved = {
        type: "Approved",
        status: "True",
        reason: "AutoApproved",
        message: `Auto approving ${isOwn ? "self " : ""}kubelet client certificate after SubjectAccessReview.`,
      } as const;
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
