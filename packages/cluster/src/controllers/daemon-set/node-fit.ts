import type { ReadOf } from "kubewright";
import type { Node } from "kubewright/k8s/core/v1";
import { isSelected, tolerates } from "../../scheduler/index.js";
import { type DaemonSetView, daemonTolerations } from "./daemon-pod.js";

/** A node as it was read. */
export type NodeView = ReadOf<typeof Node>;

/** What a DaemonSet does on a node. */
export interface NodeFit {
  /** A pod is to be there. */
  readonly shouldRun: boolean;
  /** A pod that is there may stay. */
  readonly mayStay: boolean;
}

/** Whether a DaemonSet is to have a pod on a node: by the node's name and labels, and by its taints. */
export function nodeFit({ spec }: DaemonSetView, node: NodeView): NodeFit {
  const template = spec.template.spec ?? { containers: [] };
  const { name, labels = {} } = node.metadata;
  const { nodeName = "" } = template;
  if ((nodeName !== "" && nodeName !== name) || !isSelected({ spec: template }, { name, labels }))
    return { shouldRun: false, mayStay: false };
  const tolerations = daemonTolerations(template);
  const keepsOff = (node.spec?.taints ?? []).filter((taint) => !tolerates(tolerations, taint));
  return {
    shouldRun: keepsOff.every(({ effect }) => effect !== "NoSchedule" && effect !== "NoExecute"),
    mayStay: keepsOff.every(({ effect }) => effect !== "NoExecute"),
  };
}
