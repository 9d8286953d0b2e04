import { childDraft, type Draft, listAt } from "../../draft.js";

const notReady = { effect: "NoSchedule", key: "node.kubernetes.io/not-ready" };

/** TaintNodesByCondition: a new node has the not-ready taint until the node lifecycle controller removes it. */
export function admitTaintNodesByCondition(node: Draft): void {
  const spec = childDraft(node, "spec");
  const taints = listAt(spec, "taints") as Draft[];
  const isTainted = taints.some((one) => one["key"] === notReady.key && one["effect"] === notReady.effect);
  if (!isTainted) spec["taints"] = [...taints, { ...notReady }];
}
