import type { ReadOf } from "kubewright";
import type { Node } from "kubewright/k8s/core/v1";
import { isSelected, tolerates } from "../../scheduler/index.js";
import { type DaemonSetView, daemonTolerations } from "./daemon-pod.js";

/** A node from the cache. */
export type NodeView = ReadOf<typeof Node>;

/** Whether a DaemonSet runs on a node. */
export interface NodeFit {
  /** The node should have a Pod. */
  readonly shouldRun: boolean;
  /** A running Pod may continue to run. */
  readonly shouldContinueRunning: boolean;
}

/** Decides whether a DaemonSet runs on a node, by node name, node selector, node affinity and taints. */
export function nodeFit({ spec }: DaemonSetView, node: NodeView): NodeFit {
  const template = spec.template.spec ?? { containers: [] };
  const { name, labels = {} } = node.metadata;
  const { nodeName = "" } = template;
  if ((nodeName !== "" && nodeName !== name) || !isSelected({ spec: template }, { name, labels }))
    return { shouldRun: false, shouldContinueRunning: false };
  const tolerations = daemonTolerations(template);
  const untolerated = (node.spec?.taints ?? []).filter((taint) => !tolerates(tolerations, taint));
  return {
    shouldRun: untolerated.every(({ effect }) => effect !== "NoSchedule" && effect !== "NoExecute"),
    shouldContinueRunning: untolerated.every(({ effect }) => effect !== "NoExecute"),
  };
}
