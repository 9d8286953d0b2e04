import { deepEqual, goQuote, type JsonValue } from "@kubewright/core/json";
import type { Authorizer, User } from "../access/index.js";
import { objectAt, textAt } from "../registry/index.js";
import type { AdmissionPlugin } from "./plugin.js";
import { rejected } from "./rejection.js";

const requests = "certificatesigningrequests.certificates.k8s.io";

/** CertificateApproval: only users with the verb `approve` for the signer approve or deny a CertificateSigningRequest. */
export function certificateApproval(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: "CertificateApproval",
    resources: [requests],
    validate(request) {
      const { operation, subresource, user, old } = request;
      if (operation !== "UPDATE" || subresource !== "approval" || old === undefined) return;
      // The signer of the old object: the update may try to change it.
      const signer = textAt(objectAt(old, "spec"), "signerName");
      if (!mayUseSigner(authorizer, user, "approve", signer))
        throw rejected(request, `user not permitted to approve requests with signerName ${goQuote(signer)}`);
    },
  };
}

/** CertificateSigning: only users with the verb `sign` for the signer set the certificate or the conditions of a CertificateSigningRequest. */
export function certificateSigning(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: "CertificateSigning",
    resources: [requests],
    validate(request) {
      const { operation, subresource, user, object, old } = request;
      if (operation !== "UPDATE" || subresource !== "status" || old === undefined) return;
      const [before, after] = [objectAt(old, "status"), objectAt(object, "status")];
      const isSame = (field: string): boolean => isEqual(before[field], after[field]);
      if (isSame("certificate") && isSame("conditions")) return;
      const signer = textAt(objectAt(old, "spec"), "signerName");
      if (!mayUseSigner(authorizer, user, "sign", signer))
        throw rejected(request, `user not permitted to sign requests with signerName ${goQuote(signer)}`);
    },
  };
}

function isEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return deepEqual(a ?? null, b ?? null);
}

/** Asks for the signer itself, then for all signers of its domain. */
function mayUseSigner(authorizer: Authorizer, user: User, verb: string, signer: string): boolean {
  const isAllowed = (name: string): boolean =>
    authorizer.authorize(user, {
      kind: "resource",
      verb,
      group: "certificates.k8s.io",
      resource: "signers",
      subresource: "",
      namespace: "",
      name,
    }).allowed;
  return isAllowed(signer) || isAllowed(`${signer.split("/", 1)[0]}/*`);
}
