import { childDraft, type Draft, metadataOf, objectAt, textAt } from "../registry/index.js";
import type { AdmissionPlugin } from "./plugin.js";

const copiedLabels = ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"];

/** PodTopologyLabels: copies the zone and region labels of the Node to a pod that is bound to it, or created on it. */
export const podTopologyLabels: AdmissionPlugin = {
  name: "PodTopologyLabels",
  resources: ["pods"],
  mutate({ operation, subresource, object }, { store }) {
    if (operation !== "CREATE" || (subresource !== "" && subresource !== "binding")) return;
    const target = objectAt(object, "target");
    const isOfNode = subresource === "" || textAt(target, "kind") === "Node";
    const nodeName = subresource === "" ? textAt(objectAt(object, "spec"), "nodeName") : textAt(target, "name");
    const node = isOfNode && nodeName !== "" ? store.bucket("nodes").get(nodeName) : undefined;
    if (node === undefined) return;
    const labels = objectAt(metadataOf(node.object), "labels") as Draft;
    for (const key of copiedLabels)
      if (Object.hasOwn(labels, key)) childDraft(childDraft(object, "metadata"), "labels")[key] = textAt(labels, key);
  },
};
