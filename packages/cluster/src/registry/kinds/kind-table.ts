import type { JsonObject } from "@kubewright/core/json";
import type { Resource, Strategy } from "../resource.js";
import { autoscalerFromV2, autoscalerToV2 } from "./autoscaler-conversion.js";
import { certificateSigningRequestStrategy } from "./certificate-signing-request.js";
import { configMapStrategy } from "./config-map.js";
import { controllerRevisionStrategy } from "./controller-revision.js";
import { cronJobStrategy } from "./cron-job.js";
import { daemonSetStrategy } from "./daemon-set.js";
import { deploymentStrategy } from "./deployment.js";
import { endpointSliceStrategy, endpointsStrategy, endpointsWarning } from "./endpoints.js";
import { coreEventStrategy, eventFromCore, eventStrategy, eventToCore } from "./event.js";
import { genericStrategy } from "./generic.js";
import { autoscalerStrategy, oldAutoscalerStrategy } from "./horizontal-pod-autoscaler.js";
import { jobStrategy } from "./job.js";
import { leaseStrategy } from "./lease.js";
import { namespaceStrategy } from "./namespace.js";
import { podStrategy } from "./pod.js";
import { podDisruptionBudgetStrategy } from "./pod-disruption-budget.js";
import { podTemplateStrategy } from "./pod-template.js";
import { priorityClassStrategy } from "./priority-class.js";
import { replicaSetStrategy, replicationControllerStrategy } from "./replica-set.js";
import { secretStrategy } from "./secret.js";
import { serviceStrategy } from "./service.js";
import { statefulSetStrategy } from "./stateful-set.js";

/** How a built-in kind is served. */
export interface KindEntry {
  readonly strategy: Strategy;
  /** Where the kind is stored in the form of another version or group. */
  readonly stored?: {
    readonly bucket: string;
    from(stored: JsonObject): JsonObject;
    to(object: JsonObject): JsonObject;
  };
  /** The group by which validation errors name the kind, where it is not the resource's. */
  readonly internalGroup?: string;
  /** What every use of the kind is warned of. */
  readonly deprecationWarning?: string;
  readonly scale?: NonNullable<Resource["scale"]>;
}

const replicas = { specReplicas: "spec.replicas", statusReplicas: "status.replicas" };

/** Kinds with code of their own, by `group/version/Kind`. */
const kinds: Readonly<Record<string, KindEntry>> = {
  "/v1/Namespace": { strategy: namespaceStrategy },
  "/v1/ConfigMap": { strategy: configMapStrategy },
  "/v1/Secret": { strategy: secretStrategy },
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
  "coordination.k8s.io/v1/Lease": { strategy: leaseStrategy },
  "/v1/Pod": { strategy: podStrategy },
  "/v1/PodTemplate": { strategy: podTemplateStrategy },
  "/v1/ReplicationController": { strategy: replicationControllerStrategy, scale: replicas },
  "autoscaling/v1/HorizontalPodAutoscaler": {
    strategy: oldAutoscalerStrategy,
    stored: { bucket: "horizontalpodautoscalers.autoscaling", from: autoscalerFromV2, to: autoscalerToV2 },
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

/** What is not stored, or belongs to the server itself: it is not served. */
const notServed: ReadonlySet<string> = new Set(["/v1/Binding", "/v1/ComponentStatus"]);

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
  if (data.listSchema === undefined || notServed.has(id)) return undefined;
  const hasStatus = data.subresources.some((part) => part.name === "status");
  return kinds[id] ?? { strategy: genericStrategy(data.group, data.kind, hasStatus) };
}
