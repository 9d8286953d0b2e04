import { parseDuration } from "@kubewright/core/meta";
import { Quantity } from "@kubewright/core/quantity";
import type { PodUsageSpec, UsedResources } from "./pod-stage.js";

/** The resource usage of a container. */
export interface ContainerUsage {
  readonly cpu: Quantity;
  readonly memory: Quantity;
}

/** The usage of a container that has run for `ranMs`, by its PodStage. */
export function containerUsage(usage: PodUsageSpec | undefined, container: string, ranMs: number): ContainerUsage {
  const { containers = {}, later = [] } = usage ?? {};
  const own = Object.hasOwn(containers, container) ? containers[container] : undefined;
  const changes = later
    .filter((change) => (change.container ?? container) === container && parseDuration(change.after) <= ranMs)
    .sort((a, b) => parseDuration(a.after) - parseDuration(b.after));
  const at = (resource: keyof UsedResources): Quantity =>
    Quantity.parse([usage, own, ...changes].findLast((one) => one?.[resource] !== undefined)?.[resource] ?? "0");
  return { cpu: at("cpu"), memory: at("memory") };
}
