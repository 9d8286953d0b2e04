import { type Controller, controller } from "kubewright";
import { nextCheckMs } from "./check-schedule.js";
import type { Probe } from "./probe.js";
import { TlsEndpoint } from "./tls-endpoint.js";

const dayMs = 86_400_000;

/**
 * Reports the certificate of each TlsEndpoint.
 *
 * An endpoint outside of the cluster sends no events: each run returns when it wants to run again. A restart does not connect to all of them at once,
 * because the time of the last check is in the status.
 */
export function tlsEndpointController(probe: Probe): Controller {
  return controller(TlsEndpoint, {
    name: "tls-endpoint",
    workers: 4, // a run has one connection, so there are at most four at once
    timeout: "30s",
    reconcile: async ({ object, status, conditions, event, clock, signal, requeueAfter }) => {
      const { host, port, serverName, warnDays, periodSeconds } = object.spec;
      const endpoint = `${host}:${port}`;
      const dueMs = (): number => {
        if (status.lastCheckTime === undefined) return 0;
        const { status: reached, lastTransitionTime } = conditions.get("Reachable") ?? {};
        const downSinceMs = reached === "False" ? Date.parse(lastTransitionTime ?? status.lastCheckTime) : undefined;
        return nextCheckMs({ atMs: Date.parse(status.lastCheckTime), downSinceMs }, periodSeconds * 1_000);
      };

      if (object.status?.observedGeneration !== object.metadata.generation) {
        // What is known is about another host, or was judged by another spec.
        for (const field of ["lastCheckTime", "notAfter", "issuer", "fingerprint"] as const) status[field] = undefined;
        conditions.remove("Valid");
        conditions.remove("Trusted");
      }
      if (dueMs() <= clock.now()) {
        const finding = await probe({ host, port, serverName }, { clock, signal });
        status.lastCheckTime = timestamp(clock.now());
        if (finding.kind === "unreachable") {
          const { reason, message } = finding;
          if (conditions.get("Reachable")?.status !== "False")
            event("Warning", "Unreachable", `Cannot connect to ${endpoint}: ${message}`);
          conditions.set("Reachable", { status: false, reason, message });
        } else {
          const { fingerprint, issuer, trustError = "" } = finding;
          const notAfter = timestamp(finding.notAfterMs);
          conditions.set("Reachable", { status: true, reason: "Connected" });
          const isTrusted = trustError === "";
          conditions.set("Trusted", {
            status: isTrusted,
            reason: isTrusted ? "Verified" : "NotVerified",
            message: trustError,
          });
          if (status.fingerprint !== undefined && status.fingerprint !== fingerprint)
            event("Normal", "CertificateRenewed", `The certificate of ${endpoint} is now valid until ${notAfter}`);
          Object.assign(status, { fingerprint, issuer, notAfter });
        }
      }

      const wakeUpsMs = [dueMs()];
      if (status.notAfter !== undefined) {
        // Holds while the endpoint cannot be reached, and changes without a connection as time passes.
        const notAfterMs = Date.parse(status.notAfter);
        const warnAtMs = notAfterMs - warnDays * dayMs;
        const reason = clock.now() >= notAfterMs ? "Expired" : clock.now() >= warnAtMs ? "ExpiresSoon" : "Valid";
        const message = `The certificate of ${endpoint} is valid until ${status.notAfter}`;
        if (reason !== "Valid" && reason !== conditions.get("Valid")?.reason)
          event("Warning", `Certificate${reason}`, message);
        conditions.set("Valid", { status: reason !== "Expired", reason, message });
        wakeUpsMs.push(warnAtMs, notAfterMs);
      }
      const nextMs = Math.min(...wakeUpsMs.filter((time) => time > clock.now()));
      return requeueAfter(`${nextMs - clock.now()}ms`);
    },
  });
}

function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
