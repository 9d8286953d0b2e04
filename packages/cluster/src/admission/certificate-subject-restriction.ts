import { parseCertificateRequest } from "@kubewright/core/certificates";
import { forbidden, objectAt, textAt } from "../registry/index.js";
import type { AdmissionPlugin } from "./plugin.js";

const clientSigner = "kubernetes.io/kube-apiserver-client";

/** CertificateSubjectRestriction: no client certificate for the group `system:masters`. */
export const certificateSubjectRestriction: AdmissionPlugin = {
  name: "CertificateSubjectRestriction",
  resources: ["certificatesigningrequests.certificates.k8s.io"],
  validate({ operation, subresource, resource, name, object }) {
    if (operation !== "CREATE" || subresource !== "") return;
    const spec = objectAt(object, "spec");
    if (textAt(spec, "signerName") !== clientSigner || !asksForMasters(textAt(spec, "request"))) return;
    throw forbidden(resource, name, `use of ${clientSigner} signer with system:masters group is not allowed`);
  },
};

/** Whether a CSR names the group `system:masters`. One that cannot be parsed does not. */
function asksForMasters(request: string): boolean {
  try {
    const { organizations } = parseCertificateRequest(Buffer.from(request, "base64").toString("latin1"));
    return organizations.includes("system:masters");
  } catch {
    return false;
  }
}
