import { type Selected, select } from "kubewright";
import { Pod } from "kubewright/k8s/core/v1";
import { byController } from "../ownership/index.js";

/** All pods, found by what controls them. One for all controllers, so that they share it. */
export const podsByController: Selected<typeof Pod, "controller"> = /* @__PURE__ */ select(Pod, {
  indexes: { controller: byController },
});
