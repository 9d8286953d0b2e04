import type { CertificateAuthority } from "@kubewright/core/certificates";
import type { JsonObject } from "@kubewright/core/json";
import type { Duration } from "@kubewright/core/meta";
import type { AnyController, Client } from "kubewright";
import { autoscalerController } from "./autoscaler/index.js";
import { csrApprover, csrCleaner, csrSigner } from "./certificates/index.js";
import { cronJobController } from "./cron-job/index.js";
import { daemonSetController } from "./daemon-set/index.js";
import { deploymentController } from "./deployment/index.js";
import { disruptionController, staleDisruptions } from "./disruption/index.js";
import { endpointSliceController, endpointSliceMirror, endpointsController } from "./endpoints/index.js";
import { jobControllers } from "./job/index.js";
import { nodeLifecycleController, podGarbageCollector, taintEvictionController } from "./node-lifecycle/index.js";
import { type ExpressionWarnings, policyStatusController } from "./policy-status/index.js";
import { simulatedVolumes, storageProvisioner } from "./provisioner/index.js";
import { quotaController } from "./quota/index.js";
import { replicaSetController, replicationController } from "./replica-set/index.js";
import { rootCertificatePublisher } from "./root-ca/index.js";
import { serviceAccountController, serviceAccountTokens } from "./service-account/index.js";
import { statefulSetController } from "./stateful-set/index.js";
import { ttlAfterFinishedController } from "./ttl-after-finished/index.js";
import {
  ephemeralVolumeController,
  pvController,
  pvcController,
  pvcProtection,
  pvProtection,
  vacProtection,
} from "./volumes/index.js";

/** Dependencies of the controllers besides their declared kinds. */
export interface ControllerServices {
  /** A client of a controller, by the name of its ServiceAccount, for requests that it cannot declare. */
  clientOf(account: string): Client;
  /** Starts another controller. Resolves once its caches are synced. */
  add(controller: AnyController): Promise<void>;
  /** The cluster's certificate authority, created on first use. */
  readonly authority: () => CertificateAuthority;
  /** Signs ServiceAccount tokens. */
  signToken(claims: JsonObject): string;
  /** Type-checks the expressions of admission policies. */
  readonly expressionWarnings: ExpressionWarnings;
  /** Whether there are simulated nodes. */
  readonly hasNodes: boolean;
  readonly nodeMonitorGracePeriod: Duration;
}

/**
 * The controllers of kube-controller-manager that the embedded cluster implements; and, with simulated nodes, the storage provisioner.
 * It starts none of them.
 */
export function workloadControllers(services: ControllerServices): readonly AnyController[] {
  const clientOf = (account: string): Client => services.clientOf(account);
  return [
    vacProtection(),
    autoscalerController(clientOf("horizontal-pod-autoscaler")),
    pvcController(),
    pvcProtection(),
    cronJobController(),
    daemonSetController(),
    deploymentController(),
    disruptionController(clientOf("disruption-controller")),
    endpointSliceController(),
    endpointSliceMirror(),
    endpointsController(),
    ephemeralVolumeController(),
    ...jobControllers(),
    nodeLifecycleController(services.nodeMonitorGracePeriod),
    podGarbageCollector(),
    policyStatusController(clientOf("validatingadmissionpolicy-status-controller"), services.expressionWarnings),
    quotaController({ client: clientOf("resourcequota-controller"), add: services.add }),
    replicaSetController(),
    replicationController(),
    csrApprover(clientOf("certificate-controller")),
    csrCleaner(),
    csrSigner(services.authority),
    rootCertificatePublisher(services.authority),
    serviceAccountController(),
    serviceAccountTokens(services.authority, services.signToken),
    ...(services.hasNodes ? [storageProvisioner(simulatedVolumes)] : []),
    statefulSetController(),
    staleDisruptions(),
    taintEvictionController(),
    ttlAfterFinishedController(),
    pvController(),
    pvProtection(),
  ];
}
