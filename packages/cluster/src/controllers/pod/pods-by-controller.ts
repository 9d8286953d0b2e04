import { type Selected, select } from "kubewright";
import { Pod } from "kubewright/k8s/core/v1";
import { byController } from "../ownership/index.js";

/** All Pods, indexed by controller. A single value, so that all controllers share the index. */
export const podsByController: Selected<typeof Pod, "controller"> = /* @__PURE__ */ select(Pod, {
  indexes: { controller: byController },
});
