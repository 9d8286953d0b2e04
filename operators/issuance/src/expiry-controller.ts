import { controller } from "kubewright";
import { Certificate } from "./certificate.js";

/** A Certificate that is not renewed this long before it expires has a problem: cert-manager renews earlier. */
const warnBeforeMs = 14 * 24 * 3_600_000;
const dayMs = 24 * 3_600_000;

/** Warns on every Certificate, also of others, that expires soon. It waits until then, and repeats the event each day. */
export const expiryController = controller(Certificate, {
  name: "expiry",
  reconcile: ({ object, event, requeueAfter, clock }) => {
    const { notAfter } = object.status ?? {};
    if (notAfter === undefined) return undefined;
    const warnInMs = Date.parse(notAfter) - warnBeforeMs - clock.now();
    if (warnInMs > 0) return requeueAfter(`${Math.ceil(Math.min(warnInMs, dayMs) / 1_000)}s`);
    event("Warning", "CertificateExpiring", `The certificate expires at ${notAfter} and was not renewed`);
    return requeueAfter("24h");
  },
});
