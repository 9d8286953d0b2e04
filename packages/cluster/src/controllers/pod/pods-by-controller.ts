import { type Selected, select, untracked } from "kubewright";
import { Pod } from "kubewright/k8s/core/v1";
import type { Untracked } from "kubewright/types";
import { byController } from "../ownership/index.js";

/**
 * All Pods, indexed by controller. A single value, so that all controllers share the index. Untracked, as all reads of these controllers: they run
 * on the events that kube-controller-manager's handlers pass, which `owns` and `watches` declare.
 */
export const podsByController: Untracked<Selected<typeof Pod, "controller">> = /* @__PURE__ */ untracked(
  /* @__PURE__ */ select(Pod, { indexes: { controller: byController } }),
);
