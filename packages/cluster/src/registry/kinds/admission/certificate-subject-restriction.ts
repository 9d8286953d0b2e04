import { parseCertificateRequest } from "@kubewright/core/certificates";
import { forbidden } from "../../api-failure.js";
import { type Draft, metadataOf, objectAt, textAt } from "../../draft.js";

const requests = {
  group: "certificates.k8s.io",
  plural: "certificatesigningrequests",
  kind: "CertificateSigningRequest",
};
const clientSigner = "kubernetes.io/kube-apiserver-client";

/** CertificateSubjectRestriction: no client certificate for the group `system:masters`. */
export function admitCertificateSubjectRestriction(draft: Draft): void {
  const spec = objectAt(draft, "spec");
  if (textAt(spec, "signerName") !== clientSigner || !asksForMasters(textAt(spec, "request"))) return;
  const why = `use of ${clientSigner} signer with system:masters group is not allowed`;
  throw forbidden(requests, textAt(metadataOf(draft), "name"), why);
}

/** Whether a request names the group `system:masters`. One that cannot be parsed does not. */
function asksForMasters(request: string): boolean {
  try {
    const { organizations } = parseCertificateRequest(Buffer.from(request, "base64").toString("latin1"));
    return organizations.includes("system:masters");
  } catch {
    return false;
  }
}
