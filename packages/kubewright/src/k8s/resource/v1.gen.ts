// Written by tools/api-data from Kubernetes v1.36.4. Do not edit.
import { defineKind, type Kind, type ReadMeta } from "../../definition/index.js";
import type { NodeSelector } from "../core/v1.gen.js";
import type { Condition, ObjectMeta } from "../meta/v1.gen.js";

export interface AllocatedDeviceStatus {
  conditions?: Condition[] | undefined;
  data?: Record<string, unknown> | undefined;
  device: string;
  driver: string;
  networkData?: NetworkDeviceData | undefined;
  pool: string;
  shareID?: string | undefined;
}

export interface AllocationResult {
  allocationTimestamp?: string | undefined;
  devices?: DeviceAllocationResult | undefined;
  nodeSelector?: NodeSelector | undefined;
}

export interface CELDeviceSelector {
  expression: string;
}

export interface CapacityRequestPolicy {
  default?: string | number | undefined;
  validRange?: CapacityRequestPolicyRange | undefined;
  validValues?: (string | number)[] | undefined;
}

export interface CapacityRequestPolicyRange {
  max?: string | number | undefined;
  min: string | number;
  step?: string | number | undefined;
}

export interface CapacityRequirements {
  requests?: Record<string, string | number> | undefined;
}

export interface Counter {
  value: string | number;
}

export interface CounterSet {
  counters: Record<string, Counter>;
  name: string;
}

export interface Device {
  allNodes?: boolean | undefined;
  allowMultipleAllocations?: boolean | undefined;
  attributes?: Record<string, DeviceAttribute> | undefined;
  bindingConditions?: string[] | undefined;
  bindingFailureConditions?: string[] | undefined;
  bindsToNode?: boolean | undefined;
  capacity?: Record<string, DeviceCapacity> | undefined;
  consumesCounters?: DeviceCounterConsumption[] | undefined;
  name: string;
  nodeAllocatableResourceMappings?: Record<string, NodeAllocatableResourceMapping> | undefined;
  nodeName?: string | undefined;
  nodeSelector?: NodeSelector | undefined;
  taints?: DeviceTaint[] | undefined;
}

export interface DeviceAllocationConfiguration {
  opaque?: OpaqueDeviceConfiguration | undefined;
  requests?: string[] | undefined;
  source: "FromClaim" | "FromClass";
}

export interface DeviceAllocationResult {
  config?: DeviceAllocationConfiguration[] | undefined;
  results?: DeviceRequestAllocationResult[] | undefined;
}

export interface DeviceAttribute {
  bool?: boolean | undefined;
  bools?: boolean[] | undefined;
  int?: number | undefined;
  ints?: number[] | undefined;
  string?: string | undefined;
  strings?: string[] | undefined;
  version?: string | undefined;
  versions?: string[] | undefined;
}

export interface DeviceCapacity {
  requestPolicy?: CapacityRequestPolicy | undefined;
  value: string | number;
}

export interface DeviceClaim {
  config?: DeviceClaimConfiguration[] | undefined;
  constraints?: DeviceConstraint[] | undefined;
  requests?: DeviceRequest[] | undefined;
}

export interface DeviceClaimConfiguration {
  opaque?: OpaqueDeviceConfiguration | undefined;
  requests?: string[] | undefined;
}

/** An object of kind DeviceClass in resource.k8s.io/v1. */
export interface DeviceClass {
  apiVersion: "resource.k8s.io/v1";
  kind: "DeviceClass";
  metadata: ReadMeta;
  spec: DeviceClassSpec;
}
interface DeviceClassTypes { read: DeviceClass; write: { spec: DeviceClassSpec; }; status: never; conditions: never }
/** The kind DeviceClass in resource.k8s.io/v1. */
export const DeviceClass: Kind<"resource.k8s.io/v1/DeviceClass", "Cluster", DeviceClassTypes> = /* @__PURE__ */ defineKind({ group: "resource.k8s.io", version: "v1", kind: "DeviceClass", plural: "deviceclasses", scope: "Cluster" });

export interface DeviceClassConfiguration {
  opaque?: OpaqueDeviceConfiguration | undefined;
}

export interface DeviceClassSpec {
  config?: DeviceClassConfiguration[] | undefined;
  extendedResourceName?: string | undefined;
  selectors?: DeviceSelector[] | undefined;
}

export interface DeviceConstraint {
  distinctAttribute?: string | undefined;
  matchAttribute?: string | undefined;
  requests?: string[] | undefined;
}

export interface DeviceCounterConsumption {
  counterSet: string;
  counters: Record<string, Counter>;
}

export interface DeviceRequest {
  exactly?: ExactDeviceRequest | undefined;
  firstAvailable?: DeviceSubRequest[] | undefined;
  name: string;
}

export interface DeviceRequestAllocationResult {
  adminAccess?: boolean | undefined;
  bindingConditions?: string[] | undefined;
  bindingFailureConditions?: string[] | undefined;
  consumedCapacity?: Record<string, string | number> | undefined;
  device: string;
  driver: string;
  pool: string;
  request: string;
  shareID?: string | undefined;
  tolerations?: DeviceToleration[] | undefined;
}

export interface DeviceSelector {
  cel?: CELDeviceSelector | undefined;
}

export interface DeviceSubRequest {
  allocationMode?: "All" | "ExactCount" | undefined;
  capacity?: CapacityRequirements | undefined;
  count?: number | undefined;
  deviceClassName: string;
  name: string;
  selectors?: DeviceSelector[] | undefined;
  tolerations?: DeviceToleration[] | undefined;
}

export interface DeviceTaint {
  effect: "NoExecute" | "NoSchedule" | "None";
  key: string;
  timeAdded?: string | undefined;
  value?: string | undefined;
}

export interface DeviceToleration {
  effect?: "NoExecute" | "NoSchedule" | "None" | undefined;
  key?: string | undefined;
  operator?: "Equal" | "Exists" | undefined;
  tolerationSeconds?: number | undefined;
  value?: string | undefined;
}

export interface ExactDeviceRequest {
  adminAccess?: boolean | undefined;
  allocationMode?: "All" | "ExactCount" | undefined;
  capacity?: CapacityRequirements | undefined;
  count?: number | undefined;
  deviceClassName: string;
  selectors?: DeviceSelector[] | undefined;
  tolerations?: DeviceToleration[] | undefined;
}

export interface NetworkDeviceData {
  hardwareAddress?: string | undefined;
  interfaceName?: string | undefined;
  ips?: string[] | undefined;
}

export interface NodeAllocatableResourceMapping {
  allocationMultiplier?: string | number | undefined;
  capacityKey?: string | undefined;
}

export interface OpaqueDeviceConfiguration {
  driver: string;
  parameters: Record<string, unknown>;
}

/** An object of kind ResourceClaim in resource.k8s.io/v1. */
export interface ResourceClaim {
  apiVersion: "resource.k8s.io/v1";
  kind: "ResourceClaim";
  metadata: ReadMeta;
  spec: ResourceClaimSpec;
  status?: ResourceClaimStatus;
}
interface ResourceClaimTypes { read: ResourceClaim; write: { spec: ResourceClaimSpec; }; status: ResourceClaimStatus; conditions: never }
/** The kind ResourceClaim in resource.k8s.io/v1. */
export const ResourceClaim: Kind<"resource.k8s.io/v1/ResourceClaim", "Namespaced", ResourceClaimTypes> = /* @__PURE__ */ defineKind({ group: "resource.k8s.io", version: "v1", kind: "ResourceClaim", plural: "resourceclaims", scope: "Namespaced" });

export interface ResourceClaimConsumerReference {
  apiGroup?: string | undefined;
  name: string;
  resource: string;
  uid: string;
}

export interface ResourceClaimSpec {
  devices?: DeviceClaim | undefined;
}

export interface ResourceClaimStatus {
  allocation?: AllocationResult | undefined;
  devices?: AllocatedDeviceStatus[] | undefined;
  reservedFor?: ResourceClaimConsumerReference[] | undefined;
}

/** An object of kind ResourceClaimTemplate in resource.k8s.io/v1. */
export interface ResourceClaimTemplate {
  apiVersion: "resource.k8s.io/v1";
  kind: "ResourceClaimTemplate";
  metadata: ReadMeta;
  spec: ResourceClaimTemplateSpec;
}
interface ResourceClaimTemplateTypes { read: ResourceClaimTemplate; write: { spec: ResourceClaimTemplateSpec; }; status: never; conditions: never }
/** The kind ResourceClaimTemplate in resource.k8s.io/v1. */
export const ResourceClaimTemplate: Kind<"resource.k8s.io/v1/ResourceClaimTemplate", "Namespaced", ResourceClaimTemplateTypes> = /* @__PURE__ */ defineKind({ group: "resource.k8s.io", version: "v1", kind: "ResourceClaimTemplate", plural: "resourceclaimtemplates", scope: "Namespaced" });

export interface ResourceClaimTemplateSpec {
  metadata?: ObjectMeta | undefined;
  spec: ResourceClaimSpec;
}

export interface ResourcePool {
  generation: number;
  name: string;
  resourceSliceCount: number;
}

/** An object of kind ResourceSlice in resource.k8s.io/v1. */
export interface ResourceSlice {
  apiVersion: "resource.k8s.io/v1";
  kind: "ResourceSlice";
  metadata: ReadMeta;
  spec: ResourceSliceSpec;
}
interface ResourceSliceTypes { read: ResourceSlice; write: { spec: ResourceSliceSpec; }; status: never; conditions: never }
/** The kind ResourceSlice in resource.k8s.io/v1. */
export const ResourceSlice: Kind<"resource.k8s.io/v1/ResourceSlice", "Cluster", ResourceSliceTypes> = /* @__PURE__ */ defineKind({ group: "resource.k8s.io", version: "v1", kind: "ResourceSlice", plural: "resourceslices", scope: "Cluster" });

export interface ResourceSliceSpec {
  allNodes?: boolean | undefined;
  devices?: Device[] | undefined;
  driver: string;
  nodeName?: string | undefined;
  nodeSelector?: NodeSelector | undefined;
  perDeviceNodeSelection?: boolean | undefined;
  pool: ResourcePool;
  sharedCounters?: CounterSet[] | undefined;
}
