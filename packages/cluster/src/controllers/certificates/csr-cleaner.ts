import { X509Certificate } from "node:crypto";
import { may, type RawController, rawController, watch } from "kubewright";
import { CertificateSigningRequest } from "kubewright/k8s/certificates/v1";
import { conditionTime, type ReadCsr } from "./csr-state.js";

const hour = 3_600_000;

/** Deletes CSRs one hour after approval, denial or failure, and pending ones after 24 hours. */
export function csrCleaner(): RawController {
  return rawController({
    name: "csrcleaner",
    fieldManager: "kube-controller-manager",
    uses: [may(CertificateSigningRequest, "delete")],
    watches: [watch(CertificateSigningRequest, { to: ({ metadata }) => metadata.name })],
    reconcile: async ({ key: name, find, delete: remove, requeueAfter, clock }) => {
      const request = await find(CertificateSigningRequest, name);
      if (request === undefined || request.metadata.deletionTimestamp !== undefined) return;
      const leftMs = deletionTimeMs(request) - clock.now();
      if (leftMs > 0) return requeueAfter(`${leftMs}ms`);
      await remove(CertificateSigningRequest, name, { uid: request.metadata.uid });
    },
  });
}

/** When a CSR is to be deleted. */
function deletionTimeMs(request: ReadCsr): number {
  const [approved, denied, failed] = (["Approved", "Denied", "Failed"] as const).map((type) =>
    conditionTime(request, type),
  );
  const after = (time: string | undefined, hours: number): number =>
    time === undefined || time === "" ? Number.POSITIVE_INFINITY : Date.parse(time) + hours * hour;
  const certificate = request.status?.certificate ?? "";
  const isPending = (request.status?.conditions?.length ?? 0) === 0;
  return Math.min(
    isPending ? after(request.metadata.creationTimestamp, 24) : Number.POSITIVE_INFINITY,
    after(denied, 1),
    after(failed, 1),
    after(approved, certificate === "" ? 24 : 1),
    approved === undefined || certificate === "" ? Number.POSITIVE_INFINITY : expiryOf(certificate),
  );
}

function expiryOf(certificate: string): number {
  try {
    return Date.parse(new X509Certificate(Buffer.from(certificate, "base64")).validTo);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
