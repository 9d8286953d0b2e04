import type { AnyController, Client } from "kubewright";
import { daemonSetController } from "./daemon-set/index.js";
import { deploymentController } from "./deployment/index.js";
import { disruptionController, staleDisruptions } from "./disruption/index.js";
import { endpointSliceController, endpointSliceMirror, endpointsController } from "./endpoints/index.js";
import { nodeLifecycleController, taintEvictionController } from "./node-lifecycle/index.js";
import { replicaSetController, replicationController } from "./replica-set/index.js";
import { serviceAccountController } from "./service-account/index.js";
import { statefulSetController } from "./stateful-set/index.js";

/** Every controller of kube-controller-manager that the embedded cluster has. `client` asks for what no controller can declare. Starts nothing. */
export function workloadControllers(client: Client): readonly AnyController[] {
  return [
    daemonSetController(),
    deploymentController(),
    disruptionController(client),
    endpointSliceController(),
    endpointSliceMirror(),
    endpointsController(),
    nodeLifecycleController(),
    replicaSetController(),
    replicationController(),
    serviceAccountController(),
    statefulSetController(),
    staleDisruptions(),
    taintEvictionController(),
  ];
}
