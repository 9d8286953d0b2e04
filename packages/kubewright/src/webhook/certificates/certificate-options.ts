import type { Clock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { Logger } from "@kubewright/core/log";
import { type Duration, durationMs } from "@kubewright/core/meta";
import type { Client } from "../../client/index.js";
import type { OperatorMetrics } from "../../metrics/index.js";
import type { CertificateTargets } from "./cluster-store.js";
import type { RotationPolicy } from "./next-step.js";
import { canonicalName } from "./read-certificate.js";

/** How long certificates are valid, and when they are replaced. */
export interface CertificateTimes {
  /** How long a certificate and its CA are valid. @default "2160h" */
  readonly lifetime?: Duration;
  /** A certificate is replaced so long before it expires. @default a third of `lifetime` */
  readonly renewBefore?: Duration;
  /** By how much the clocks of replicas and API servers may differ. @default "1h" */
  readonly clockSkew?: Duration;
  /** How long API servers may take to observe a changed caBundle: a new certificate is not served before. @default "30s" */
  readonly propagation?: Duration;
}

/** Options of `manageCertificates`. */
export interface ManageCertificatesOptions extends CertificateTargets, CertificateTimes {
  /** Needs the permissions of `certificateRules`. */
  readonly client: Client;
  /** The name of the operator: the field manager is `<name>-certificates`, and the CAs are named `<name>-webhooks-ca`. */
  readonly name: string;
  /** The namespace of the Secret and of the Service. */
  readonly namespace: string;
  /** The Secret that the replicas share. Created if it does not exist. */
  readonly secretName: string;
  /** The Service by which API servers call the webhooks. @default none */
  readonly serviceName?: string;
  /** More DNS names and IP addresses of the webhooks, for webhooks by url. @default none */
  readonly hosts?: readonly string[];
  /** @default the machine's time */
  readonly clock?: Clock;
  /** Stops it. */
  readonly signal: AbortSignal;
  /** @default nothing is logged */
  readonly logger?: Logger;
  /** Reports when the certificate expires. @default nothing is reported */
  readonly metrics?: OperatorMetrics;
  /** Between 0 and 1; jitter of retries. @default Math.random */
  readonly random?: () => number;
}

/** The times in milliseconds, and the names. Throws CONFIG_INVALID if they contradict each other. */
export function policyOf(options: ManageCertificatesOptions): RotationPolicy & { readonly lifetimeMs: number } {
  const { lifetime = "2160h", clockSkew = "1h", propagation = "30s", namespace, serviceName, hosts = [] } = options;
  const lifetimeMs = durationMs("lifetime", lifetime);
  const renewBeforeMs =
    options.renewBefore === undefined ? lifetimeMs / 3 : durationMs("renewBefore", options.renewBefore);
  const clockSkewMs = durationMs("clockSkew", clockSkew);
  const propagationMs = durationMs("propagation", propagation);
  const service =
    serviceName === undefined
      ? []
      : ["", ".svc", ".svc.cluster.local"].map((end) => `${serviceName}.${namespace}${end}`);
  const names = [...new Set([...service, ...hosts].map(canonicalName))];
  if (names.length === 0) throw unusable(options, "it has no names; set `serviceName` or `hosts`");
  if (propagationMs + clockSkewMs >= renewBeforeMs)
    throw unusable(options, "`renewBefore` must be longer than `propagation` and `clockSkew` together");
  // Else the next certificate would be due before it can be served.
  if (propagationMs + renewBeforeMs + clockSkewMs >= lifetimeMs)
    throw unusable(options, "`lifetime` must be longer than `renewBefore`, `propagation` and `clockSkew` together");
  return { names, lifetimeMs, renewBeforeMs, clockSkewMs, propagationMs };
}

function unusable({ namespace, secretName }: ManageCertificatesOptions, why: string): OperatorError {
  return new OperatorError(
    "CONFIG_INVALID",
    `Cannot manage the webhook certificate in Secret "${namespace}/${secretName}": ${why}`,
  );
}
