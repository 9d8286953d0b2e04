import { childDraft, type Draft, listAt } from "../registry/index.js";
import type { AdmissionPlugin } from "./plugin.js";

const notReady = { effect: "NoSchedule", key: "node.kubernetes.io/not-ready" };

/** TaintNodesByCondition: taints a new node as not-ready; the node lifecycle controller removes the taint. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: "TaintNodesByCondition",
  resources: ["nodes"],
  mutate({ operation, subresource, object }) {
    if (operation !== "CREATE" || subresource !== "") return;
    const spec = childDraft(object, "spec");
    const taints = listAt(spec, "taints") as Draft[];
    const isTainted = taints.some((one) => one["key"] === notReady.key && one["effect"] === notReady.effect);
    if (!isTainted) spec["taints"] = [...taints, { ...notReady }];
  },
};
