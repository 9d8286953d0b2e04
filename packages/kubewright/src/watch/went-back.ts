import { compareResourceVersions, isResourceVersion } from "@kubewright/core/identity";

/**
 * Whether the server went from one resourceVersion back to another: its etcd was restored from a backup. Versions of aggregated API servers that
 * are not numbers have no order.
 */
export function wentBack(from: string, to: string): boolean {
  return isResourceVersion(from) && isResourceVersion(to) && compareResourceVersions(to, from) < 0;
}
