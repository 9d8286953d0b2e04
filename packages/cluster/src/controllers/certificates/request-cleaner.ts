import { X509Certificate } from "node:crypto";
import { may, type RawController, rawController, watch } from "kubewright";
import { CertificateSigningRequest } from "kubewright/k8s/certificates/v1";
import { holdsSince, type ReadRequest } from "./request-state.js";

const hour = 3_600_000;

/** Deletes requests an hour after they were answered, and a day after nobody answered them. */
export function requestCleaner(): RawController {
  return rawController({
    name: "csrcleaner",
    fieldManager: "kube-controller-manager",
    uses: [may(CertificateSigningRequest, "delete")],
    watches: [watch(CertificateSigningRequest, { to: ({ metadata }) => metadata.name })],
    reconcile: async ({ key: name, find, delete: remove, requeueAfter, clock }) => {
      const request = await find(CertificateSigningRequest, name);
      if (request === undefined || request.metadata.deletionTimestamp !== undefined) return;
      const leftMs = endOf(request) - clock.now();
      if (leftMs > 0) return requeueAfter(`${leftMs}ms`);
      await remove(CertificateSigningRequest, name, { uid: request.metadata.uid });
    },
  });
}

/** When nobody needs a request any more. */
function endOf(request: ReadRequest): number {
  const [approved, denied, failed] = (["Approved", "Denied", "Failed"] as const).map((type) =>
    holdsSince(request, type),
  );
  const after = (time: string | undefined, hours: number): number =>
    time === undefined || time === "" ? Number.POSITIVE_INFINITY : Date.parse(time) + hours * hour;
  const certificate = request.status?.certificate ?? "";
  const isOpen = (request.status?.conditions?.length ?? 0) === 0;
  return Math.min(
    isOpen ? after(request.metadata.creationTimestamp, 24) : Number.POSITIVE_INFINITY,
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
