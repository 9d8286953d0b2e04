import { deepEqual, goQuote, type JsonObject } from "@kubewright/core/json";
import { listAt, objectAt, textAt, textsAt } from "../registry/index.js";
import type { AdmissionPlugin } from "./plugin.js";
import { rejected } from "./rejection.js";

/** NodeDeclaredFeatureValidator: a change of a bound pod requires only features that its Node declares. */
export const nodeDeclaredFeatureValidator: AdmissionPlugin = {
  name: "NodeDeclaredFeatureValidator",
  resources: ["pods"],
  validate(request, { store }) {
    const { operation, subresource, object, old } = request;
    if (operation !== "UPDATE" || old === undefined || (subresource !== "" && subresource !== "resize")) return;
    const [before, after] = [objectAt(old, "spec"), objectAt(object, "spec")];
    const nodeName = textAt(after, "nodeName");
    if (before === after || nodeName === "") return;
    const required = requiredFeatures(before, after);
    if (required.length === 0) return;
    const node = store.bucket("nodes").get(nodeName)?.object;
    if (node === undefined) throw rejected(request, `node ${goQuote(nodeName)} not found`);
    const declared = textsAt(objectAt(node, "status"), "declaredFeatures");
    const missing = required.filter((feature) => !declared.includes(feature));
    if (missing.length > 0)
      throw rejected(
        request,
        `pod update requires features ${missing.join(", ")} which are not available on node ${goQuote(nodeName)}`,
      );
  },
};

/** The features of a kubelet that a change of a pod spec requires. */
function requiredFeatures(before: JsonObject, after: JsonObject): string[] {
  const containersOf = (spec: JsonObject) => listAt(spec, "initContainers") as readonly JsonObject[];
  const isInitResize = containersOf(before).some(
    (one, index) =>
      textAt(one, "restartPolicy") !== "Always" &&
      !deepEqual(objectAt(one, "resources"), objectAt(containersOf(after)[index] ?? {}, "resources")),
  );
  return [
    ...(deepEqual(objectAt(before, "resources"), objectAt(after, "resources"))
      ? []
      : ["InPlacePodLevelResourcesVerticalScaling"]),
    ...(isInitResize ? ["InPlacePodVerticalScalingInitContainers"] : []),
  ];
}
