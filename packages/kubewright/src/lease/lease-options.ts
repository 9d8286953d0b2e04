import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { OperatorError } from "@kubewright/core/errors";
import { type Duration, durationMs } from "@kubewright/core/meta";
import { type LeaseTiming, type LeaseTimingOptions, leaseTiming } from "./lease-timing.js";

/** Leader election of an operator's replicas. */
export interface LeaderElectionOptions extends LeaseTimingOptions {
  /** Name of the Lease. @default the operator's name */
  readonly name?: string;
  /** Namespace of the Lease. @default the pod's; required outside a cluster */
  readonly namespace?: string;
  /** holderIdentity in the Lease, unique per replica. @default host name, "_" and a random uuid */
  readonly identity?: string;
  /**
   * How long the main thread may block before the renewal thread stops renewing the lease. @default "1m"
   */
  readonly maxSilence?: Duration;
  /** The directory of the pod's service account token. @default "/var/run/secrets/kubernetes.io/serviceaccount" */
  readonly serviceAccountDir?: string;
}

/** Complete and validated settings. Plain data, because they are posted to another thread. */
export interface LeaseSettings {
  readonly name: string;
  readonly namespace: string;
  readonly identity: string;
  readonly timing: LeaseTiming;
  readonly maxSilenceMs: number;
}

/** Applies defaults and validates the options. Rejects with CONFIG_INVALID if they are invalid or the namespace is unknown. */
export async function leaseSettings(options: LeaderElectionOptions, operatorName: string): Promise<LeaseSettings> {
  const { name = operatorName, identity = `${hostname()}_${randomUUID()}`, maxSilence = "1m" } = options;
  const timing = leaseTiming(options);
  const fail = (why: string): OperatorError =>
    new OperatorError("CONFIG_INVALID", `Cannot set up leader election: ${why}`);
  if (name === "") throw fail('"name" is empty');
  if (identity === "") throw fail('"identity" is empty');
  const maxSilenceMs = durationMs("maxSilence", maxSilence);
  if (maxSilenceMs === 0) throw fail('"maxSilence" must be above 0');
  const { serviceAccountDir = "/var/run/secrets/kubernetes.io/serviceaccount" } = options;
  const namespace = options.namespace ?? (await podNamespace(serviceAccountDir));
  if (namespace === undefined || namespace === "")
    throw fail('the namespace of the Lease is unknown outside a pod; set "namespace"');
  return { name, namespace, identity, timing, maxSilenceMs };
}

/** The namespace of the pod; undefined outside of one. */
export async function podNamespace(
  folder = "/var/run/secrets/kubernetes.io/serviceaccount",
): Promise<string | undefined> {
  try {
    return (await readFile(join(folder, "namespace"), "utf8")).trim();
  } catch {
    return undefined;
  }
}
