import type { JsonObject } from "@kubewright/core/json";
import type { Draft } from "../draft.js";
import { withNullBytes, withoutNullBytes } from "../null-bytes.js";
import type { Resource, Strategy } from "../resource.js";
import {
  mutatingPolicyBindingStrategy,
  mutatingPolicyStrategy,
  validatingPolicyBindingStrategy,
  validatingPolicyStrategy,
} from "./admission-policy.js";
import { apiServiceStrategy } from "./api-service.js";
import { autoscalerFromV2, autoscalerToV2 } from "./autoscaler-conversion.js";
import { certificateSigningRequestStrategy } from "./certificate-signing-request.js";
import { configMapStrategy } from "./config-map.js";
import { controllerRevisionStrategy } from "./controller-revision.js";
import { cronJobStrategy } from "./cron-job.js";
import { daemonSetStrategy } from "./daemon-set.js";
import { deploymentStrategy } from "./deployment.js";
import {
  deviceClassStrategy,
  resourceClaimStrategy,
  resourceClaimTemplateStrategy,
  resourceSliceStrategy,
} from "./devices.js";
import { endpointSliceStrategy, endpointsStrategy, endpointsWarning } from "./endpoints.js";
import { coreEventStrategy, eventFromCore, eventStrategy, eventToCore } from "./event.js";
import { genericStrategy } from "./generic.js";
import { autoscalerStrategy, oldAutoscalerStrategy } from "./horizontal-pod-autoscaler.js";
import { ingressStrategy } from "./ingress.js";
import { ingressClassStrategy } from "./ingress-class.js";
import { jobStrategy } from "./job.js";
import { leaseStrategy } from "./lease.js";
import { limitRangeStrategy } from "./limit-range.js";
import { namespaceStrategy } from "./namespace.js";
import { networkPolicyStrategy } from "./network-policy.js";
import { nodeStrategy } from "./node.js";
import { persistentVolumeStrategy } from "./persistent-volume.js";
import { podStrategy } from "./pod.js";
import { podDisruptionBudgetStrategy } from "./pod-disruption-budget.js";
import { podTemplateStrategy } from "./pod-template.js";
import { priorityClassStrategy } from "./priority-class.js";
import { replicaSetStrategy, replicationControllerStrategy } from "./replica-set.js";
import { resourceQuotaStrategy } from "./resource-quota.js";
import { clusterRoleBindingStrategy, clusterRoleStrategy, roleBindingStrategy, roleStrategy } from "./roles.js";
import { runtimeClassStrategy } from "./runtime-class.js";
import { secretStrategy } from "./secret.js";
import { serviceStrategy } from "./service.js";
import { serviceAccountStrategy } from "./service-account.js";
import { ipAddressStrategy, serviceRangeStrategy } from "./service-ranges.js";
import { statefulSetStrategy } from "./stateful-set.js";
import { storageClassStrategy, volumeAttributesClassStrategy } from "./storage-class.js";
import { volumeClaimStrategy } from "./volume-claims.js";
import {
  csiDriverStrategy,
  csiNodeStrategy,
  csiStorageCapacityStrategy,
  volumeAttachmentStrategy,
} from "./volume-drivers.js";
import { mutatingWebhooksStrategy, validatingWebhooksStrategy } from "./webhook-configuration.js";

/** How a built-in kind is served. */
export interface KindEntry {
  readonly strategy: Strategy;
  /** Where the kind is stored in the form of another version or group. */
  readonly stored?: {
    /** @default the kind's own */
    readonly bucket?: string;
    from(stored: JsonObject): JsonObject;
    to(object: JsonObject): JsonObject;
    /** Fills in, in place, what the stored form has by default. @default nothing */
    applyDefaults?(stored: Draft): void;
  };
  /** The group by which validation errors name the kind, where it is not the resource's. */
  readonly internalGroup?: string;
  /** What every use of the kind is warned of. */
  readonly deprecationWarning?: string;
  readonly scale?: NonNullable<Resource["scale"]>;
}

const replicas = { specReplicas: "spec.replicas", statusReplicas: "status.replicas" };

const storedBytes = { from: withoutNullBytes, to: withNullBytes };

/** Kinds with code of their own, by `group/version/Kind`. */
const kinds: Readonly<Record<string, KindEntry>> = {
  "/v1/Namespace": { strategy: namespaceStrategy },
  "/v1/ConfigMap": { strategy: configMapStrategy, stored: storedBytes },
  "/v1/Secret": { strategy: secretStrategy, stored: storedBytes },
  "/v1/Event": { strategy: coreEventStrategy },
  "events.k8s.io/v1/Event": {
    strategy: eventStrategy,
    // Events of both groups are the same objects.
    stored: { bucket: "events", from: eventFromCore, to: eventToCore },
    internalGroup: "",
  },
  "/v1/Service": { strategy: serviceStrategy },
  "/v1/Endpoints": { strategy: endpointsStrategy, deprecationWarning: endpointsWarning },
  "discovery.k8s.io/v1/EndpointSlice": { strategy: endpointSliceStrategy },
  "networking.k8s.io/v1/Ingress": { strategy: ingressStrategy },
  "networking.k8s.io/v1/IngressClass": { strategy: ingressClassStrategy },
  "networking.k8s.io/v1/IPAddress": { strategy: ipAddressStrategy },
  "networking.k8s.io/v1/NetworkPolicy": { strategy: networkPolicyStrategy },
  "networking.k8s.io/v1/ServiceCIDR": { strategy: serviceRangeStrategy },
  "/v1/PersistentVolume": { strategy: persistentVolumeStrategy },
  "/v1/PersistentVolumeClaim": { strategy: volumeClaimStrategy },
  "storage.k8s.io/v1/CSIDriver": { strategy: csiDriverStrategy },
  "storage.k8s.io/v1/CSINode": { strategy: csiNodeStrategy },
  "storage.k8s.io/v1/CSIStorageCapacity": { strategy: csiStorageCapacityStrategy },
  "storage.k8s.io/v1/StorageClass": { strategy: storageClassStrategy },
  "storage.k8s.io/v1/VolumeAttachment": { strategy: volumeAttachmentStrategy },
  "storage.k8s.io/v1/VolumeAttributesClass": { strategy: volumeAttributesClassStrategy },
  "/v1/LimitRange": { strategy: limitRangeStrategy },
  "/v1/Node": { strategy: nodeStrategy },
  "/v1/ResourceQuota": { strategy: resourceQuotaStrategy },
  "/v1/ServiceAccount": { strategy: serviceAccountStrategy },
  "admissionregistration.k8s.io/v1/MutatingWebhookConfiguration": { strategy: mutatingWebhooksStrategy },
  "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy": { strategy: validatingPolicyStrategy },
  "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding": { strategy: validatingPolicyBindingStrategy },
  "admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration": { strategy: validatingWebhooksStrategy },
  "apiregistration.k8s.io/v1/APIService": { strategy: apiServiceStrategy },
  "node.k8s.io/v1/RuntimeClass": { strategy: runtimeClassStrategy },
  "rbac.authorization.k8s.io/v1/ClusterRole": { strategy: clusterRoleStrategy },
  "rbac.authorization.k8s.io/v1/ClusterRoleBinding": { strategy: clusterRoleBindingStrategy },
  "rbac.authorization.k8s.io/v1/Role": { strategy: roleStrategy },
  "rbac.authorization.k8s.io/v1/RoleBinding": { strategy: roleBindingStrategy },
  "admissionregistration.k8s.io/v1/MutatingAdmissionPolicy": { strategy: mutatingPolicyStrategy },
  "admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding": { strategy: mutatingPolicyBindingStrategy },
  "resource.k8s.io/v1/DeviceClass": { strategy: deviceClassStrategy },
  "resource.k8s.io/v1/ResourceClaim": { strategy: resourceClaimStrategy },
  "resource.k8s.io/v1/ResourceClaimTemplate": { strategy: resourceClaimTemplateStrategy },
  "resource.k8s.io/v1/ResourceSlice": { strategy: resourceSliceStrategy },
  "coordination.k8s.io/v1/Lease": { strategy: leaseStrategy },
  "/v1/Pod": { strategy: podStrategy },
  "/v1/PodTemplate": { strategy: podTemplateStrategy },
  "/v1/ReplicationController": { strategy: replicationControllerStrategy, scale: replicas },
  "autoscaling/v1/HorizontalPodAutoscaler": {
    strategy: oldAutoscalerStrategy,
    stored: {
      bucket: "horizontalpodautoscalers.autoscaling",
      from: autoscalerFromV2,
      to: autoscalerToV2,
      applyDefaults: (stored) => autoscalerStrategy.applyDefaults?.(stored),
    },
  },
  "autoscaling/v2/HorizontalPodAutoscaler": { strategy: autoscalerStrategy },
  "batch/v1/CronJob": { strategy: cronJobStrategy },
  "batch/v1/Job": { strategy: jobStrategy },
  "certificates.k8s.io/v1/CertificateSigningRequest": { strategy: certificateSigningRequestStrategy },
  "policy/v1/PodDisruptionBudget": { strategy: podDisruptionBudgetStrategy },
  "scheduling.k8s.io/v1/PriorityClass": { strategy: priorityClassStrategy },
  "apps/v1/ControllerRevision": { strategy: controllerRevisionStrategy },
  "apps/v1/DaemonSet": { strategy: daemonSetStrategy },
  "apps/v1/ReplicaSet": { strategy: replicaSetStrategy, scale: replicas },
  "apps/v1/StatefulSet": { strategy: statefulSetStrategy, scale: replicas },
  "apps/v1/Deployment": { strategy: deploymentStrategy, scale: replicas },
};

/** What is worked out when it is asked for, elsewhere. */
const computed = "/v1/ComponentStatus";

/** What is carried out, and not kept: it can be created alone. */
const carriedOut = "/v1/Binding";

/** How a built-in kind is served; undefined when it is not. */
export function kindOf(data: {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listSchema?: string;
  readonly subresources: readonly { readonly name: string }[];
}): KindEntry | undefined {
  const id = `${data.group}/${data.version}/${data.kind}`;
  // Reviews answer a question, they are not kept.
  if ((data.listSchema === undefined && id !== carriedOut) || id === computed) return undefined;
  const hasStatus = data.subresources.some((part) => part.name === "status");
  return kinds[id] ?? { strategy: genericStrategy(hasStatus) };
}
