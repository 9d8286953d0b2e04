import { childDraft, metadataOf, objectAt } from "../registry/index.js";
import { defaultClassName } from "./default-class.js";
import type { AdmissionPlugin } from "./plugin.js";

/** The bucket of IngressClasses. */
const classesBucket = "ingressclasses.networking.k8s.io";

/** DefaultIngressClass: sets the default IngressClass of a new Ingress that names none; of several, the newest. */
export const defaultIngressClass: AdmissionPlugin = {
  name: "DefaultIngressClass",
  resources: ["ingresses.networking.k8s.io"],
  mutate({ operation, subresource, object }, { store }) {
    if (operation !== "CREATE" || subresource !== "") return;
    const spec = childDraft(object, "spec");
    if (spec["ingressClassName"] !== undefined) return;
    if (Object.hasOwn(objectAt(metadataOf(object), "annotations"), "kubernetes.io/ingress.class")) return;
    const chosen = defaultClassName(store.bucket(classesBucket), ["ingressclass.kubernetes.io/is-default-class"]);
    if (chosen !== undefined) spec["ingressClassName"] = chosen;
  },
};
