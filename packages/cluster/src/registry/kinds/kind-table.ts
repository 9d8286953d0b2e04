import type { JsonObject } from "@kubewright/core/json";
import type { Draft } from "../draft.js";
import type { Resource } from "../resource.js";
import type { Strategy } from "../strategy.js";
import {
  mutatingPolicyBindingStrategy,
  validatingPolicyBindingStrategy,
} from "./admissionregistration/admission-policy-binding.js";
import { mutatingPolicyStrategy } from "./admissionregistration/mutating-admission-policy.js";
import { validatingPolicyStrategy } from "./admissionregistration/validating-admission-policy.js";
import { mutatingWebhooksStrategy, validatingWebhooksStrategy } from "./admissionregistration/webhook-configuration.js";
import { apiServiceStrategy } from "./apiregistration/api-service.js";
import { controllerRevisionStrategy } from "./apps/controller-revision.js";
import { daemonSetStrategy } from "./apps/daemon-set.js";
import { deploymentStrategy } from "./apps/deployment.js";
import { replicaSetStrategy } from "./apps/replica-set.js";
import { statefulSetStrategy } from "./apps/stateful-set.js";
import { autoscalerFromV2, autoscalerToV2 } from "./autoscaling/autoscaler-conversion.js";
import { autoscalerStrategy, autoscalerV1Strategy } from "./autoscaling/horizontal-pod-autoscaler.js";
import { cronJobStrategy } from "./batch/cron-job.js";
import { jobStrategy } from "./batch/job/job.js";
import { certificateSigningRequestStrategy } from "./certificates/certificate-signing-request.js";
import { leaseStrategy } from "./coordination/lease.js";
import { configMapStrategy } from "./core/config-map.js";
import { endpointsStrategy, endpointsWarning } from "./core/endpoints.js";
import { limitRangeStrategy } from "./core/limit-range.js";
import { namespaceStrategy } from "./core/namespace.js";
import { nodeStrategy } from "./core/node.js";
import { persistentVolumeStrategy } from "./core/persistent-volume/persistent-volume.js";
import { persistentVolumeClaimStrategy } from "./core/persistent-volume-claim/persistent-volume-claim.js";
import { podStrategy } from "./core/pod/pod.js";
import { podTemplateStrategy } from "./core/pod-template.js";
import { replicationControllerStrategy } from "./core/replication-controller.js";
import { resourceQuotaStrategy } from "./core/resource-quota.js";
import { secretStrategy } from "./core/secret.js";
import { serviceStrategy } from "./core/service/service.js";
import { serviceAccountStrategy } from "./core/service-account.js";
import { endpointSliceStrategy } from "./discovery/endpoint-slice.js";
import { coreEventStrategy, eventStrategy } from "./events/event.js";
import { eventFromCore, eventToCore } from "./events/event-conversion.js";
import { genericStrategy } from "./generic.js";
import { ingressStrategy } from "./networking/ingress.js";
import { ingressClassStrategy } from "./networking/ingress-class.js";
import { ipAddressStrategy } from "./networking/ip-address.js";
import { networkPolicyStrategy } from "./networking/network-policy.js";
import { serviceCidrStrategy } from "./networking/service-cidr.js";
import { runtimeClassStrategy } from "./node/runtime-class.js";
import { podDisruptionBudgetStrategy } from "./policy/pod-disruption-budget.js";
import { clusterRoleStrategy } from "./rbac/cluster-role.js";
import { roleStrategy } from "./rbac/role.js";
import { clusterRoleBindingStrategy, roleBindingStrategy } from "./rbac/role-binding.js";
import { deviceClassStrategy } from "./resource/device-class.js";
import { resourceClaimStrategy } from "./resource/resource-claim.js";
import { resourceClaimTemplateStrategy } from "./resource/resource-claim-template.js";
import { resourceSliceStrategy } from "./resource/resource-slice.js";
import { priorityClassStrategy } from "./scheduling/priority-class.js";
import { csiDriverStrategy } from "./storage/csi-driver.js";
import { csiNodeStrategy } from "./storage/csi-node.js";
import { csiStorageCapacityStrategy } from "./storage/csi-storage-capacity.js";
import { storageClassStrategy } from "./storage/storage-class.js";
import { volumeAttachmentStrategy } from "./storage/volume-attachment.js";
import { volumeAttributesClassStrategy } from "./storage/volume-attributes-class.js";

/** How the server serves a built-in kind. */
export interface KindEntry {
  readonly strategy: Strategy;
  /** Set if the kind is stored in another version or group. */
  readonly stored?: {
    /** @default the bucket of the kind */
    readonly bucket?: string;
    from(stored: JsonObject): JsonObject;
    to(object: JsonObject): JsonObject;
    /** Sets, in place, the defaults of the stored form. @default none */
    applyDefaults?(stored: Draft): void;
  };
  /** The warning of every request for the kind. */
  readonly deprecationWarning?: string;
  readonly scale?: NonNullable<Resource["scale"]>;
}

const replicas = { specReplicas: "spec.replicas", statusReplicas: "status.replicas" };
/** The kinds with a specific strategy, by `group/version/Kind`, in the order of the folders. */
const kinds: Readonly<Record<string, KindEntry>> = {
  "/v1/ConfigMap": { strategy: configMapStrategy },
  "/v1/Endpoints": { strategy: endpointsStrategy, deprecationWarning: endpointsWarning },
  "/v1/Event": { strategy: coreEventStrategy },
  "/v1/LimitRange": { strategy: limitRangeStrategy },
  "/v1/Namespace": { strategy: namespaceStrategy },
  "/v1/Node": { strategy: nodeStrategy },
  "/v1/PersistentVolume": { strategy: persistentVolumeStrategy },
  "/v1/PersistentVolumeClaim": { strategy: persistentVolumeClaimStrategy },
  "/v1/Pod": { strategy: podStrategy },
  "/v1/PodTemplate": { strategy: podTemplateStrategy },
  "/v1/ReplicationController": { strategy: replicationControllerStrategy, scale: replicas },
  "/v1/ResourceQuota": { strategy: resourceQuotaStrategy },
  "/v1/Secret": { strategy: secretStrategy },
  "/v1/Service": { strategy: serviceStrategy },
  "/v1/ServiceAccount": { strategy: serviceAccountStrategy },
  "admissionregistration.k8s.io/v1/MutatingAdmissionPolicy": { strategy: mutatingPolicyStrategy },
  "admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding": { strategy: mutatingPolicyBindingStrategy },
  "admissionregistration.k8s.io/v1/MutatingWebhookConfiguration": { strategy: mutatingWebhooksStrategy },
  "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy": { strategy: validatingPolicyStrategy },
  "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding": { strategy: validatingPolicyBindingStrategy },
  "admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration": { strategy: validatingWebhooksStrategy },
  "apiregistration.k8s.io/v1/APIService": { strategy: apiServiceStrategy },
  "apps/v1/ControllerRevision": { strategy: controllerRevisionStrategy },
  "apps/v1/DaemonSet": { strategy: daemonSetStrategy },
  "apps/v1/Deployment": { strategy: deploymentStrategy, scale: replicas },
  "apps/v1/ReplicaSet": { strategy: replicaSetStrategy, scale: replicas },
  "apps/v1/StatefulSet": { strategy: statefulSetStrategy, scale: replicas },
  "autoscaling/v1/HorizontalPodAutoscaler": {
    strategy: autoscalerV1Strategy,
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
  "coordination.k8s.io/v1/Lease": { strategy: leaseStrategy },
  "discovery.k8s.io/v1/EndpointSlice": { strategy: endpointSliceStrategy },
  "events.k8s.io/v1/Event": {
    strategy: eventStrategy,
    // Events of both groups are the same objects.
    stored: { bucket: "events", from: eventFromCore, to: eventToCore },
  },
  "networking.k8s.io/v1/IPAddress": { strategy: ipAddressStrategy },
  "networking.k8s.io/v1/Ingress": { strategy: ingressStrategy },
  "networking.k8s.io/v1/IngressClass": { strategy: ingressClassStrategy },
  "networking.k8s.io/v1/NetworkPolicy": { strategy: networkPolicyStrategy },
  "networking.k8s.io/v1/ServiceCIDR": { strategy: serviceCidrStrategy },
  "node.k8s.io/v1/RuntimeClass": { strategy: runtimeClassStrategy },
  "policy/v1/PodDisruptionBudget": { strategy: podDisruptionBudgetStrategy },
  "rbac.authorization.k8s.io/v1/ClusterRole": { strategy: clusterRoleStrategy },
  "rbac.authorization.k8s.io/v1/ClusterRoleBinding": { strategy: clusterRoleBindingStrategy },
  "rbac.authorization.k8s.io/v1/Role": { strategy: roleStrategy },
  "rbac.authorization.k8s.io/v1/RoleBinding": { strategy: roleBindingStrategy },
  "resource.k8s.io/v1/DeviceClass": { strategy: deviceClassStrategy },
  "resource.k8s.io/v1/ResourceClaim": { strategy: resourceClaimStrategy },
  "resource.k8s.io/v1/ResourceClaimTemplate": { strategy: resourceClaimTemplateStrategy },
  "resource.k8s.io/v1/ResourceSlice": { strategy: resourceSliceStrategy },
  "scheduling.k8s.io/v1/PriorityClass": { strategy: priorityClassStrategy },
  "storage.k8s.io/v1/CSIDriver": { strategy: csiDriverStrategy },
  "storage.k8s.io/v1/CSINode": { strategy: csiNodeStrategy },
  "storage.k8s.io/v1/CSIStorageCapacity": { strategy: csiStorageCapacityStrategy },
  "storage.k8s.io/v1/StorageClass": { strategy: storageClassStrategy },
  "storage.k8s.io/v1/VolumeAttachment": { strategy: volumeAttachmentStrategy },
  "storage.k8s.io/v1/VolumeAttributesClass": { strategy: volumeAttributesClassStrategy },
};

/** `apiserver` computes this kind on each read. */
const computed = "/v1/ComponentStatus";

/** How the server serves a built-in kind; undefined for a kind that the registry does not serve. */
export function kindOf(data: {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listSchema?: string;
  readonly subresources: readonly { readonly name: string }[];
}): KindEntry | undefined {
  const id = `${data.group}/${data.version}/${data.kind}`;
  if (id === computed) return undefined;
  const hasStatus = data.subresources.some((part) => part.name === "status");
  return kinds[id] ?? { strategy: genericStrategy(hasStatus) };
}
