// Written by tools/api-data from Kubernetes v1.36.4. Do not edit.
import { defineKind, type Kind, type ReadMeta } from "../../definition/index.js";
import type { Condition, LabelSelector, ObjectMeta } from "../meta/v1.gen.js";

export interface AWSElasticBlockStoreVolumeSource {
  fsType?: string | undefined;
  partition?: number | undefined;
  readOnly?: boolean | undefined;
  volumeID: string;
}

export interface Affinity {
  nodeAffinity?: NodeAffinity | undefined;
  podAffinity?: PodAffinity | undefined;
  podAntiAffinity?: PodAntiAffinity | undefined;
}

export interface AppArmorProfile {
  localhostProfile?: string | undefined;
  type: "Localhost" | "RuntimeDefault" | "Unconfined";
}

export interface AttachedVolume {
  devicePath: string;
  name: string;
}

export interface AzureDiskVolumeSource {
  cachingMode?: "None" | "ReadOnly" | "ReadWrite" | undefined;
  diskName: string;
  diskURI: string;
  fsType?: string | undefined;
  kind?: "Dedicated" | "Managed" | "Shared" | undefined;
  readOnly?: boolean | undefined;
}

export interface AzureFilePersistentVolumeSource {
  readOnly?: boolean | undefined;
  secretName: string;
  secretNamespace?: string | undefined;
  shareName: string;
}

export interface AzureFileVolumeSource {
  readOnly?: boolean | undefined;
  secretName: string;
  shareName: string;
}

/** An object of kind Binding in v1. */
export interface Binding {
  apiVersion: "v1";
  kind: "Binding";
  metadata: ReadMeta;
  target: ObjectReference;
}
interface BindingTypes { read: Binding; write: { target: ObjectReference; }; status: never; conditions: never }
/** The kind Binding in v1. */
export const Binding: Kind<"/v1/Binding", "Namespaced", BindingTypes> = /* @__PURE__ */ defineKind({ group: "", version: "v1", kind: "Binding", plural: "bindings", scope: "Namespaced" });

export interface CSIPersistentVolumeSource {
  controllerExpandSecretRef?: SecretReference | undefined;
  controllerPublishSecretRef?: SecretReference | undefined;
  driver: string;
  fsType?: string | undefined;
  nodeExpandSecretRef?: SecretReference | undefined;
  nodePublishSecretRef?: SecretReference | undefined;
  nodeStageSecretRef?: SecretReference | undefined;
  readOnly?: boolean | undefined;
  volumeAttributes?: Record<string, string> | undefined;
  volumeHandle: string;
}

export interface CSIVolumeSource {
  driver: string;
  fsType?: string | undefined;
  nodePublishSecretRef?: LocalObjectReference | undefined;
  readOnly?: boolean | undefined;
  volumeAttributes?: Record<string, string> | undefined;
}

export interface Capabilities {
  add?: string[] | undefined;
  drop?: string[] | undefined;
}

export interface CephFSPersistentVolumeSource {
  monitors: string[];
  path?: string | undefined;
  readOnly?: boolean | undefined;
  secretFile?: string | undefined;
  secretRef?: SecretReference | undefined;
  user?: string | undefined;
}

export interface CephFSVolumeSource {
  monitors: string[];
  path?: string | undefined;
  readOnly?: boolean | undefined;
  secretFile?: string | undefined;
  secretRef?: LocalObjectReference | undefined;
  user?: string | undefined;
}

export interface CinderPersistentVolumeSource {
  fsType?: string | undefined;
  readOnly?: boolean | undefined;
  secretRef?: SecretReference | undefined;
  volumeID: string;
}

export interface CinderVolumeSource {
  fsType?: string | undefined;
  readOnly?: boolean | undefined;
  secretRef?: LocalObjectReference | undefined;
  volumeID: string;
}

export interface ClientIPConfig {
  timeoutSeconds?: number | undefined;
}

export interface ClusterTrustBundleProjection {
  labelSelector?: LabelSelector | undefined;
  name?: string | undefined;
  optional?: boolean | undefined;
  path: string;
  signerName?: string | undefined;
}

export interface ComponentCondition {
  error?: string | undefined;
  message?: string | undefined;
  status: string;
  type: string;
}

/** An object of kind ComponentStatus in v1. */
export interface ComponentStatus {
  apiVersion: "v1";
  kind: "ComponentStatus";
  metadata: ReadMeta;
  conditions?: ComponentCondition[] | undefined;
}
interface ComponentStatusTypes { read: ComponentStatus; write: { conditions?: ComponentCondition[] | undefined; }; status: never; conditions: never }
/** The kind ComponentStatus in v1. */
export const ComponentStatus: Kind<"/v1/ComponentStatus", "Cluster", ComponentStatusTypes> = /* @__PURE__ */ defineKind({ group: "", version: "v1", kind: "ComponentStatus", plural: "componentstatuses", scope: "Cluster" });

/** An object of kind ConfigMap in v1. */
export interface ConfigMap {
  apiVersion: "v1";
  kind: "ConfigMap";
  metadata: ReadMeta;
  binaryData?: Record<string, string> | undefined;
  data?: Record<string, string> | undefined;
  immutable?: boolean | undefined;
}
interface ConfigMapTypes { read: ConfigMap; write: { binaryData?: Record<string, string> | undefined; data?: Record<string, string> | undefined; immutable?: boolean | undefined; }; status: never; conditions: never }
/** The kind ConfigMap in v1. */
export const ConfigMap: Kind<"/v1/ConfigMap", "Namespaced", ConfigMapTypes> = /* @__PURE__ */ defineKind({ group: "", version: "v1", kind: "ConfigMap", plural: "configmaps", scope: "Namespaced" });

export interface ConfigMapEnvSource {
  name?: string | undefined;
  optional?: boolean | undefined;
}

export interface ConfigMapKeySelector {
  key: string;
  name?: string | undefined;
  optional?: boolean | undefined;
}

export interface ConfigMapNodeConfigSource {
  kubeletConfigKey: string;
  name: string;
  namespace: string;
  resourceVersion?: string | undefined;
  uid?: string | undefined;
}

export interface ConfigMapProjection {
  items?: KeyToPath[] | undefined;
  name?: string | undefined;
  optional?: boolean | undefined;
}

export interface ConfigMapVolumeSource {
  defaultMode?: number | undefined;
  items?: KeyToPath[] | undefined;
  name?: string | undefined;
  optional?: boolean | undefined;
}

export interface Container {
  args?: string[] | undefined;
  command?: string[] | undefined;
  env?: EnvVar[] | undefined;
  envFrom?: EnvFromSource[] | undefined;
  image?: string | undefined;
  imagePullPolicy?: "Always" | "IfNotPresent" | "Never" | undefined;
  lifecycle?: Lifecycle | undefined;
  livenessProbe?: Probe | undefined;
  name: string;
  ports?: ContainerPort[] | undefined;
  readinessProbe?: Probe | undefined;
  resizePolicy?: ContainerResizePolicy[] | undefined;
  resources?: ResourceRequirements | undefined;
  restartPolicy?: string | undefined;
  restartPolicyRules?: ContainerRestartRule[] | undefined;
  securityContext?: SecurityContext | undefined;
  startupProbe?: Probe | undefined;
  stdin?: boolean | undefined;
  stdinOnce?: boolean | undefined;
  terminationMessagePath?: string | undefined;
  terminationMessagePolicy?: "FallbackToLogsOnError" | "File" | undefined;
  tty?: boolean | undefined;
  volumeDevices?: VolumeDevice[] | undefined;
  volumeMounts?: VolumeMount[] | undefined;
  workingDir?: string | undefined;
}

export interface ContainerExtendedResourceRequest {
  containerName: string;
  requestName: string;
  resourceName: string;
}

export interface ContainerImage {
  names?: string[] | undefined;
  sizeBytes?: number | undefined;
}

export interface ContainerPort {
  containerPort: number;
  hostIP?: string | undefined;
  hostPort?: number | undefined;
  name?: string | undefined;
  protocol?: "SCTP" | "TCP" | "UDP" | undefined;
}

export interface ContainerResizePolicy {
  resourceName: string;
  restartPolicy: string;
}

export interface ContainerRestartRule {
  action: string;
  exitCodes?: ContainerRestartRuleOnExitCodes | undefined;
}

export interface ContainerRestartRuleOnExitCodes {
  operator: string;
  values?: number[] | undefined;
}

export interface ContainerState {
  running?: ContainerStateRunning | undefined;
  terminated?: ContainerStateTerminated | undefined;
  waiting?: ContainerStateWaiting | undefined;
}

export interface ContainerStateRunning {
  startedAt?: string | undefined;
}

export interface ContainerStateTerminated {
  containerID?: string | undefined;
  exitCode: number;
  finishedAt?: string | undefined;
  message?: string | undefined;
  reason?: string | undefined;
  signal?: number | undefined;
  startedAt?: string | undefined;
}

export interface ContainerStateWaiting {
  message?: string | undefined;
  reason?: string | undefined;
}

export interface ContainerStatus {
  allocatedResources?: Record<string, string | number> | undefined;
  allocatedResourcesStatus?: ResourceStatus[] | undefined;
  containerID?: string | undefined;
  image: string;
  imageID: string;
  lastState?: ContainerState | undefined;
  name: string;
  ready: boolean;
  resources?: ResourceRequirements | undefined;
  restartCount: number;
  started?: boolean | undefined;
  state?: ContainerState | undefined;
  stopSignal?: "SIGABRT" | "SIGALRM" | "SIGBUS" | "SIGCHLD" | "SIGCLD" | "SIGCONT" | "SIGFPE" | "SIGHUP" | "SIGILL" | "SIGINT" | "SIGIO" | "SIGIOT" | "SIGKILL" | "SIGPIPE" | "SIGPOLL" | "SIGPROF" | "SIGPWR" | "SIGQUIT" | "SIGRTMAX" | "SIGRTMAX-1" | "SIGRTMAX-10" | "SIGRTMAX-11" | "SIGRTMAX-12" | "SIGRTMAX-13" | "SIGRTMAX-14" | "SIGRTMAX-2" | "SIGRTMAX-3" | "SIGRTMAX-4" | "SIGRTMAX-5" | "SIGRTMAX-6" | "SIGRTMAX-7" | "SIGRTMAX-8" | "SIGRTMAX-9" | "SIGRTMIN" | "SIGRTMIN+1" | "SIGRTMIN+10" | "SIGRTMIN+11" | "SIGRTMIN+12" | "SIGRTMIN+13" | "SIGRTMIN+14" | "SIGRTMIN+15" | "SIGRTMIN+2" | "SIGRTMIN+3" | "SIGRTMIN+4" | "SIGRTMIN+5" | "SIGRTMIN+6" | "SIGRTMIN+7" | "SIGRTMIN+8" | "SIGRTMIN+9" | "SIGSEGV" | "SIGSTKFLT" | "SIGSTOP" | "SIGSYS" | "SIGTERM" | "SIGTRAP" | "SIGTSTP" | "SIGTTIN" | "SIGTTOU" | "SIGURG" | "SIGUSR1" | "SIGUSR2" | "SIGVTALRM" | "SIGWINCH" | "SIGXCPU" | "SIGXFSZ" | undefined;
  user?: ContainerUser | undefined;
  volumeMounts?: VolumeMountStatus[] | undefined;
}

export interface ContainerUser {
  linux?: LinuxContainerUser | undefined;
}

export interface DaemonEndpoint {
  Port: number;
}

export interface DownwardAPIProjection {
  items?: DownwardAPIVolumeFile[] | undefined;
}

export interface DownwardAPIVolumeFile {
  fieldRef?: ObjectFieldSelector | undefined;
  mode?: number | undefined;
  path: string;
  resourceFieldRef?: ResourceFieldSelector | undefined;
}

export interface DownwardAPIVolumeSource {
  defaultMode?: number | undefined;
  items?: DownwardAPIVolumeFile[] | undefined;
}

export interface EmptyDirVolumeSource {
  medium?: string | undefined;
  sizeLimit?: string | number | undefined;
}

export interface EndpointAddress {
  hostname?: string | undefined;
  ip: string;
  nodeName?: string | undefined;
  targetRef?: ObjectReference | undefined;
}

export interface EndpointPort {
  appProtocol?: string | undefined;
  name?: string | undefined;
  port: number;
  protocol?: "SCTP" | "TCP" | "UDP" | undefined;
}

export interface EndpointSubset {
  addresses?: EndpointAddress[] | undefined;
  notReadyAddresses?: EndpointAddress[] | undefined;
  ports?: EndpointPort[] | undefined;
}

/** An object of kind Endpoints in v1. */
export interface Endpoints {
  apiVersion: "v1";
  kind: "Endpoints";
  metadata: ReadMeta;
  subsets?: EndpointSubset[] | undefined;
}
interface EndpointsTypes { read: Endpoints; write: { subsets?: EndpointSubset[] | undefined; }; status: never; conditions: never }
/** The kind Endpoints in v1. */
export const Endpoints: Kind<"/v1/Endpoints", "Namespaced", EndpointsTypes> = /* @__PURE__ */ defineKind({ group: "", version: "v1", kind: "Endpoints", plural: "endpoints", scope: "Namespaced" });

export interface EnvFromSource {
  configMapRef?: ConfigMapEnvSource | undefined;
  prefix?: string | undefined;
  secretRef?: SecretEnvSource | undefined;
}

export interface EnvVar {
  name: string;
  value?: string | undefined;
  valueFrom?: EnvVarSource | undefined;
}

export interface EnvVarSource {
  configMapKeyRef?: ConfigMapKeySelector | undefined;
  fieldRef?: ObjectFieldSelector | undefined;
  fileKeyRef?: FileKeySelector | undefined;
  resourceFieldRef?: ResourceFieldSelector | undefined;
  secretKeyRef?: SecretKeySelector | undefined;
}

export interface EphemeralContainer {
  args?: string[] | undefined;
  command?: string[] | undefined;
  env?: EnvVar[] | undefined;
  envFrom?: EnvFromSource[] | undefined;
  image?: string | undefined;
  imagePullPolicy?: "Always" | "IfNotPresent" | "Never" | undefined;
  lifecycle?: Lifecycle | undefined;
  livenessProbe?: Probe | undefined;
  name: string;
  ports?: ContainerPort[] | undefined;
  readinessProbe?: Probe | undefined;
  resizePolicy?: ContainerResizePolicy[] | undefined;
  resources?: ResourceRequirements | undefined;
  restartPolicy?: string | undefined;
  restartPolicyRules?: ContainerRestartRule[] | undefined;
  securityContext?: SecurityContext | undefined;
  startupProbe?: Probe | undefined;
  stdin?: boolean | undefined;
  stdinOnce?: boolean | undefined;
  targetContainerName?: string | undefined;
  terminationMessagePath?: string | undefined;
  terminationMessagePolicy?: "FallbackToLogsOnError" | "File" | undefined;
  tty?: boolean | undefined;
  volumeDevices?: VolumeDevice[] | undefined;
  volumeMounts?: VolumeMount[] | undefined;
  workingDir?: string | undefined;
}

export interface EphemeralVolumeSource {
  volumeClaimTemplate?: PersistentVolumeClaimTemplate | undefined;
}

/** An object of kind Event in v1. */
export interface Event {
  apiVersion: "v1";
  kind: "Event";
  metadata: ReadMeta;
  action?: string | undefined;
  count?: number | undefined;
  eventTime?: string | undefined;
  firstTimestamp?: string | undefined;
  involvedObject: ObjectReference;
  lastTimestamp?: string | undefined;
  message?: string | undefined;
  reason?: string | undefined;
  related?: ObjectReference | undefined;
  reportingComponent?: string | undefined;
  reportingInstance?: string | undefined;
  series?: EventSeries | undefined;
  source?: EventSource | undefined;
  type?: string | undefined;
}
interface EventTypes { read: Event; write: { action?: string | undefined; count?: number | undefined; eventTime?: string | undefined; firstTimestamp?: string | undefined; involvedObject: ObjectReference; lastTimestamp?: string | undefined; message?: string | undefined; reason?: string | undefined; related?: ObjectReference | undefined; reportingComponent?: string | undefined; reportingInstance?: string | undefined; series?: EventSeries | undefined; source?: EventSource | undefined; type?: string | undefined; }; status: never; conditions: never }
/** The kind Event in v1. */
export const Event: Kind<"/v1/Event", "Namespaced", EventTypes> = /* @__PURE__ */ defineKind({ group: "", version: "v1", kind: "Event", plural: "events", scope: "Namespaced" });

export interface EventSeries {
  count?: number | undefined;
  lastObservedTime?: string | undefined;
}

export interface EventSource {
  component?: string | undefined;
  host?: string | undefined;
}

export interface ExecAction {
  command?: string[] | undefined;
}

export interface FCVolumeSource {
  fsType?: string | undefined;
  lun?: number | undefined;
  readOnly?: boolean | undefined;
  targetWWNs?: string[] | undefined;
  wwids?: string[] | undefined;
}

export interface FileKeySelector {
  key: string;
  optional?: boolean | undefined;
  path: string;
  volumeName: string;
}

export interface FlexPersistentVolumeSource {
  driver: string;
  fsType?: string | undefined;
  options?: Record<string, string> | undefined;
  readOnly?: boolean | undefined;
  secretRef?: SecretReference | undefined;
}

export interface FlexVolumeSource {
  driver: string;
  fsType?: string | undefined;
  options?: Record<string, string> | undefined;
  readOnly?: boolean | undefined;
  secretRef?: LocalObjectReference | undefined;
}

export interface FlockerVolumeSource {
  datasetName?: string | undefined;
  datasetUUID?: string | undefined;
}

export interface GCEPersistentDiskVolumeSource {
  fsType?: string | undefined;
  partition?: number | undefined;
  pdName: string;
  readOnly?: boolean | undefined;
}

export interface GRPCAction {
  port: number;
  service?: string | undefined;
}

export interface GitRepoVolumeSource {
  directory?: string | undefined;
  repository: string;
  revision?: string | undefined;
}

export interface GlusterfsPersistentVolumeSource {
  endpoints: string;
  endpointsNamespace?: string | undefined;
  path: string;
  readOnly?: boolean | undefined;
}

export interface GlusterfsVolumeSource {
  endpoints: string;
  path: string;
  readOnly?: boolean | undefined;
}

export interface HTTPGetAction {
  host?: string | undefined;
  httpHeaders?: HTTPHeader[] | undefined;
  path?: string | undefined;
  port: number | string;
  scheme?: "HTTP" | "HTTPS" | undefined;
}

export interface HTTPHeader {
  name: string;
  value: string;
}

export interface HostAlias {
  hostnames?: string[] | undefined;
  ip: string;
}

export interface HostIP {
  ip: string;
}

export interface HostPathVolumeSource {
  path: string;
  type?: "" | "BlockDevice" | "CharDevice" | "Directory" | "DirectoryOrCreate" | "File" | "FileOrCreate" | "Socket" | undefined;
}

export interface ISCSIPersistentVolumeSource {
  chapAuthDiscovery?: boolean | undefined;
  chapAuthSession?: boolean | undefined;
  fsType?: string | undefined;
  initiatorName?: string | undefined;
  iqn: string;
  iscsiInterface?: string | undefined;
  lun: number;
  portals?: string[] | undefined;
  readOnly?: boolean | undefined;
  secretRef?: SecretReference | undefined;
  targetPortal: string;
}

export interface ISCSIVolumeSource {
  chapAuthDiscovery?: boolean | undefined;
  chapAuthSession?: boolean | undefined;
  fsType?: string | undefined;
  initiatorName?: string | undefined;
  iqn: string;
  iscsiInterface?: string | undefined;
  lun: number;
  portals?: string[] | undefined;
  readOnly?: boolean | undefined;
  secretRef?: LocalObjectReference | undefined;
  targetPortal: string;
}

export interface ImageVolumeSource {
  pullPolicy?: "Always" | "IfNotPresent" | "Never" | undefined;
  reference?: string | undefined;
}

export interface ImageVolumeStatus {
  imageRef: string;
}

export interface KeyToPath {
  key: string;
  mode?: number | undefined;
  path: string;
}

export interface Lifecycle {
  postStart?: LifecycleHandler | undefined;
  preStop?: LifecycleHandler | undefined;
  stopSignal?: "SIGABRT" | "SIGALRM" | "SIGBUS" | "SIGCHLD" | "SIGCLD" | "SIGCONT" | "SIGFPE" | "SIGHUP" | "SIGILL" | "SIGINT" | "SIGIO" | "SIGIOT" | "SIGKILL" | "SIGPIPE" | "SIGPOLL" | "SIGPROF" | "SIGPWR" | "SIGQUIT" | "SIGRTMAX" | "SIGRTMAX-1" | "SIGRTMAX-10" | "SIGRTMAX-11" | "SIGRTMAX-12" | "SIGRTMAX-13" | "SIGRTMAX-14" | "SIGRTMAX-2" | "SIGRTMAX-3" | "SIGRTMAX-4" | "SIGRTMAX-5" | "SIGRTMAX-6" | "SIGRTMAX-7" | "SIGRTMAX-8" | "SIGRTMAX-9" | "SIGRTMIN" | "SIGRTMIN+1" | "SIGRTMIN+10" | "SIGRTMIN+11" | "SIGRTMIN+12" | "SIGRTMIN+13" | "SIGRTMIN+14" | "SIGRTMIN+15" | "SIGRTMIN+2" | "SIGRTMIN+3" | "SIGRTMIN+4" | "SIGRTMIN+5" | "SIGRTMIN+6" | "SIGRTMIN+7" | "SIGRTMIN+8" | "SIGRTMIN+9" | "SIGSEGV" | "SIGSTKFLT" | "SIGSTOP" | "SIGSYS" | "SIGTERM" | "SIGTRAP" | "SIGTSTP" | "SIGTTIN" | "SIGTTOU" | "SIGURG" | "SIGUSR1" | "SIGUSR2" | "SIGVTALRM" | "SIGWINCH" | "SIGXCPU" | "SIGXFSZ" | undefined;
}

export interface LifecycleHandler {
  exec?: ExecAction | undefined;
  httpGet?: HTTPGetAction | undefined;
  sleep?: SleepAction | undefined;
  tcpSocket?: TCPSocketAction | undefined;
}

/** An object of kind LimitRange in v1. */
export interface LimitRange {
  apiVersion: "v1";
  kind: "LimitRange";
  metadata: ReadMeta;
  spec: LimitRangeSpec;
}
interface LimitRangeTypes { read: LimitRange; write: { spec: LimitRangeSpec; }; status: never; conditions: never }
/** The kind LimitRange in v1. */
export const LimitRange: Kind<"/v1/LimitRange", "Namespaced", LimitRangeTypes> = /* @__PURE__ */ defineKind({ group: "", version: "v1", kind: "LimitRange", plural: "limitranges", scope: "Namespaced" });

export interface LimitRangeItem {
  default?: Record<string, string | number> | undefined;
  defaultRequest?: Record<string, string | number> | undefined;
  max?: Record<string, string | number> | undefined;
  maxLimitRequestRatio?: Record<string, string | number> | undefined;
  min?: Record<string, string | number> | undefined;
  type: string;
}

export interface LimitRangeSpec {
  limits: LimitRangeItem[];
}

export interface LinuxContainerUser {
  gid: number;
  supplementalGroups?: number[] | undefined;
  uid: number;
}

export interface LoadBalancerIngress {
  hostname?: string | undefined;
  ip?: string | undefined;
  ipMode?: string | undefined;
  ports?: PortStatus[] | undefined;
}

export interface LoadBalancerStatus {
  ingress?: LoadBalancerIngress[] | undefined;
}

export interface LocalObjectReference {
  name?: string | undefined;
}

export interface LocalVolumeSource {
  fsType?: string | undefined;
  path: string;
}

export interface ModifyVolumeStatus {
  status: "InProgress" | "Infeasible" | "Pending";
  targetVolumeAttributesClassName?: string | undefined;
}

export interface NFSVolumeSource {
  path: string;
  readOnly?: boolean | undefined;
  server: string;
}

/** An object of kind Namespace in v1. */
export interface Namespace {
  apiVersion: "v1";
  kind: "Namespace";
  metadata: ReadMeta;
  spec: NamespaceSpec;
  status?: NamespaceStatus;
}
interface NamespaceTypes { read: Namespace; write: { spec?: NamespaceSpec | undefined; }; status: NamespaceStatus; conditions: never }
/** The kind Namespace in v1. */
export const Namespace: Kind<"/v1/Namespace", "Cluster", NamespaceTypes> = /* @__PURE__ */ defineKind({ group: "", version: "v1", kind: "Namespace", plural: "namespaces", scope: "Cluster" });

export interface NamespaceCondition {
  lastTransitionTime?: string | undefined;
  message?: string | undefined;
  reason?: string | undefined;
  status: string;
  type: string;
}

export interface NamespaceSpec {
  finalizers?: string[] | undefined;
}

export interface NamespaceStatus {
  conditions?: NamespaceCondition[] | undefined;
  phase?: "Active" | "Terminating" | undefined;
}

/** An object of kind Node in v1. */
export interface Node {
  apiVersion: "v1";
  kind: "Node";
  metadata: ReadMeta;
  spec: NodeSpec;
  status?: NodeStatus;
}
interface NodeTypes { read: Node; write: { spec?: NodeSpec | undefined; }; status: NodeStatus; conditions: never }
/** The kind Node in v1. */
export const Node: Kind<"/v1/Node", "Cluster", NodeTypes> = /* @__PURE__ */ defineKind({ group: "", version: "v1", kind: "Node", plural: "nodes", scope: "Cluster" });

export interface NodeAddress {
  address: string;
  type: string;
}

export interface NodeAffinity {
  preferredDuringSchedulingIgnoredDuringExecution?: PreferredSchedulingTerm[] | undefined;
  requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector | undefined;
}

export interface NodeAllocatableResourceClaimStatus {
  containers?: string[] | undefined;
  resourceClaimName: string;
  resources: Record<string, string | number>;
}

export interface NodeCondition {
  lastHeartbeatTime?: string | undefined;
  lastTransitionTime?: string | undefined;
  message?: string | undefined;
  reason?: string | undefined;
  status: string;
  type: string;
}

export interface NodeConfigSource {
  configMap?: ConfigMapNodeConfigSource | undefined;
}

export interface NodeConfigStatus {
  active?: NodeConfigSource | undefined;
  assigned?: NodeConfigSource | undefined;
  error?: string | undefined;
  lastKnownGood?: NodeConfigSource | undefined;
}

export interface NodeDaemonEndpoints {
  kubeletEndpoint?: DaemonEndpoint | undefined;
}

export interface NodeFeatures {
  supplementalGroupsPolicy?: boolean | undefined;
}

export interface NodeRuntimeHandler {
  features?: NodeRuntimeHandlerFeatures | undefined;
  name?: string | undefined;
}

export interface NodeRuntimeHandlerFeatures {
  recursiveReadOnlyMounts?: boolean | undefined;
  userNamespaces?: boolean | undefined;
}

export interface NodeSelector {
  nodeSelectorTerms: NodeSelectorTerm[];
}

export interface NodeSelectorRequirement {
  key: string;
  operator: "DoesNotExist" | "Exists" | "Gt" | "In" | "Lt" | "NotIn";
  values?: string[] | undefined;
}

export interface NodeSelectorTerm {
  matchExpressions?: NodeSelectorRequirement[] | undefined;
  matchFields?: NodeSelectorRequirement[] | undefined;
}

export interface NodeSpec {
  configSource?: NodeConfigSource | undefined;
  externalID?: string | undefined;
  podCIDR?: string | undefined;
  podCIDRs?: string[] | undefined;
  providerID?: string | undefined;
  taints?: Taint[] | undefined;
  unschedulable?: boolean | undefined;
}

export interface NodeStatus {
  addresses?: NodeAddress[] | undefined;
  allocatable?: Record<string, string | number> | undefined;
  capacity?: Record<string, string | number> | undefined;
  conditions?: NodeCondition[] | undefined;
  config?: NodeConfigStatus | undefined;
  daemonEndpoints?: NodeDaemonEndpoints | undefined;
  declaredFeatures?: string[] | undefined;
  features?: NodeFeatures | undefined;
  images?: ContainerImage[] | undefined;
  nodeInfo?: NodeSystemInfo | undefined;
  phase?: "Pending" | "Running" | "Terminated" | undefined;
  runtimeHandlers?: NodeRuntimeHandler[] | undefined;
  volumesAttached?: AttachedVolume[] | undefined;
  volumesInUse?: string[] | undefined;
}

export interface NodeSwapStatus {
  capacity?: number | undefined;
}

export interface NodeSystemInfo {
  architecture: string;
  bootID: string;
  containerRuntimeVersion: string;
  kernelVersion: string;
  kubeProxyVersion: string;
  kubeletVersion: string;
  machineID: string;
  operatingSystem: string;
  osImage: string;
  swap?: NodeSwapStatus | undefined;
  systemUUID: string;
}

export interface ObjectFieldSelector {
  apiVersion?: string | undefined;
  fieldPath: string;
}

export interface ObjectReference {
  apiVersion?: string | undefined;
  fieldPath?: string | undefined;
  kind?: string | undefined;
  name?: string | undefined;
  namespace?: string | undefined;
  resourceVersion?: string | undefined;
  uid?: string | undefined;
}

/** An object of kind PersistentVolume in v1. */
export interface PersistentVolume {
  apiVersion: "v1";
  kind: "PersistentVolume";
  metadata: ReadMeta;
  spec: PersistentVolumeSpec;
  status?: PersistentVolumeStatus;
}
interface PersistentVolumeTypes { read: PersistentVolume; write: { spec?: PersistentVolumeSpec | undefined; }; status: PersistentVolumeStatus; conditions: never }
/** The kind PersistentVolume in v1. */
export const PersistentVolume: Kind<"/v1/PersistentVolume", "Cluster", PersistentVolumeTypes> = /* @__PURE__ */ defineKind({ group: "", version: "v1", kind: "PersistentVolume", plural: "persistentvolumes", scope: "Cluster" });

/** An object of kind PersistentVolumeClaim in v1. */
export interface PersistentVolumeClaim {
  apiVersion: "v1";
  kind: "PersistentVolumeClaim";
  metadata: ReadMeta;
  spec: PersistentVolumeClaimSpec;
  status?: PersistentVolumeClaimStatus;
}
interface PersistentVolumeClaimTypes { read: PersistentVolumeClaim; write: { spec?: PersistentVolumeClaimSpec | undefined; }; status: PersistentVolumeClaimStatus; conditions: never }
/** The kind PersistentVolumeClaim in v1. */
export const PersistentVolumeClaim: Kind<"/v1/PersistentVolumeClaim", "Namespaced", PersistentVolumeClaimTypes> = /* @__PURE__ */ defineKind({ group: "", version: "v1", kind: "PersistentVolumeClaim", plural: "persistentvolumeclaims", scope: "Namespaced" });

export interface EmbeddedPersistentVolumeClaim {
  apiVersion?: string | undefined;
  kind?: string | undefined;
  metadata?: ObjectMeta | undefined;
  spec?: PersistentVolumeClaimSpec | undefined;
  status?: PersistentVolumeClaimStatus | undefined;
}

export interface PersistentVolumeClaimCondition {
  lastProbeTime?: string | undefined;
  lastTransitionTime?: string | undefined;
  message?: string | undefined;
  reason?: string | undefined;
  status: string;
  type: string;
}

export interface PersistentVolumeClaimSpec {
  accessModes?: ("ReadOnlyMany" | "ReadWriteMany" | "ReadWriteOnce" | "ReadWriteOncePod")[] | undefined;
  dataSource?: TypedLocalObjectReference | undefined;
  dataSourceRef?: TypedObjectReference | undefined;
  resources?: VolumeResourceRequirements | undefined;
  selector?: LabelSelector | undefined;
  storageClassName?: string | undefined;
  volumeAttributesClassName?: string | undefined;
  volumeMode?: "Block" | "Filesystem" | undefined;
  volumeName?: string | undefined;
}

export interface PersistentVolumeClaimStatus {
  accessModes?: ("ReadOnlyMany" | "ReadWriteMany" | "ReadWriteOnce" | "ReadWriteOncePod")[] | undefined;
  allocatedResourceStatuses?: Record<string, "ControllerResizeInProgress" | "ControllerResizeInfeasible" | "NodeResizeInProgress" | "NodeResizeInfeasible" | "NodeResizePending"> | undefined;
  allocatedResources?: Record<string, string | number> | undefined;
  capacity?: Record<string, string | number> | undefined;
  conditions?: PersistentVolumeClaimCondition[] | undefined;
  currentVolumeAttributesClassName?: string | undefined;
  modifyVolumeStatus?: ModifyVolumeStatus | undefined;
  phase?: "Bound" | "Lost" | "Pending" | undefined;
}

export interface PersistentVolumeClaimTemplate {
  metadata?: ObjectMeta | undefined;
  spec: PersistentVolumeClaimSpec;
}

export interface PersistentVolumeClaimVolumeSource {
  claimName: string;
  readOnly?: boolean | undefined;
}

export interface PersistentVolumeSpec {
  accessModes?: ("ReadOnlyMany" | "ReadWriteMany" | "ReadWriteOnce" | "ReadWriteOncePod")[] | undefined;
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource | undefined;
  azureDisk?: AzureDiskVolumeSource | undefined;
  azureFile?: AzureFilePersistentVolumeSource | undefined;
  capacity?: Record<string, string | number> | undefined;
  cephfs?: CephFSPersistentVolumeSource | undefined;
  cinder?: CinderPersistentVolumeSource | undefined;
  claimRef?: ObjectReference | undefined;
  csi?: CSIPersistentVolumeSource | undefined;
  fc?: FCVolumeSource | undefined;
  flexVolume?: FlexPersistentVolumeSource | undefined;
  flocker?: FlockerVolumeSource | undefined;
  gcePersistentDisk?: GCEPersistentDiskVolumeSource | undefined;
  glusterfs?: GlusterfsPersistentVolumeSource | undefined;
  hostPath?: HostPathVolumeSource | undefined;
  iscsi?: ISCSIPersistentVolumeSource | undefined;
  local?: LocalVolumeSource | undefined;
  mountOptions?: string[] | undefined;
  nfs?: NFSVolumeSource | undefined;
  nodeAffinity?: VolumeNodeAffinity | undefined;
  persistentVolumeReclaimPolicy?: "Delete" | "Recycle" | "Retain" | undefined;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource | undefined;
  portworxVolume?: PortworxVolumeSource | undefined;
  quobyte?: QuobyteVolumeSource | undefined;
  rbd?: RBDPersistentVolumeSource | undefined;
  scaleIO?: ScaleIOPersistentVolumeSource | undefined;
  storageClassName?: string | undefined;
  storageos?: StorageOSPersistentVolumeSource | undefined;
  volumeAttributesClassName?: string | undefined;
  volumeMode?: "Block" | "Filesystem" | undefined;
  vsphereVolume?: VsphereVirtualDiskVolumeSource | undefined;
}

export interface PersistentVolumeStatus {
  lastPhaseTransitionTime?: string | undefined;
  message?: string | undefined;
  phase?: "Available" | "Bound" | "Failed" | "Pending" | "Released" | undefined;
  reason?: string | undefined;
}

export interface PhotonPersistentDiskVolumeSource {
  fsType?: string | undefined;
  pdID: string;
}

/** An object of kind Pod in v1. */
export interface Pod {
  apiVersion: "v1";
  kind: "Pod";
  metadata: ReadMeta;
  spec: PodSpec;
  status?: PodStatus;
}
interface PodTypes { read: Pod; write: { spec: PodSpec; }; status: PodStatus; conditions: never }
/** The kind Pod in v1. */
export const Pod: Kind<"/v1/Pod", "Namespaced", PodTypes> = /* @__PURE__ */ defineKind({ group: "", version: "v1", kind: "Pod", plural: "pods", scope: "Namespaced" });

export interface PodAffinity {
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[] | undefined;
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[] | undefined;
}

export interface PodAffinityTerm {
  labelSelector?: LabelSelector | undefined;
  matchLabelKeys?: string[] | undefined;
  mismatchLabelKeys?: string[] | undefined;
  namespaceSelector?: LabelSelector | undefined;
  namespaces?: string[] | undefined;
  topologyKey: string;
}

export interface PodAntiAffinity {
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[] | undefined;
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[] | undefined;
}

export interface PodCertificateProjection {
  certificateChainPath?: string | undefined;
  credentialBundlePath?: string | undefined;
  keyPath?: string | undefined;
  keyType: string;
  maxExpirationSeconds?: number | undefined;
  signerName: string;
  userAnnotations?: Record<string, string> | undefined;
}

export interface PodCondition {
  lastProbeTime?: string | undefined;
  lastTransitionTime?: string | undefined;
  message?: string | undefined;
  observedGeneration?: number | undefined;
  reason?: string | undefined;
  status: string;
  type: string;
}

export interface PodDNSConfig {
  nameservers?: string[] | undefined;
  options?: PodDNSConfigOption[] | undefined;
  searches?: string[] | undefined;
}

export interface PodDNSConfigOption {
  name?: string | undefined;
  value?: string | undefined;
}

export interface PodExtendedResourceClaimStatus {
  requestMappings: ContainerExtendedResourceRequest[];
  resourceClaimName: string;
}

export interface PodIP {
  ip: string;
}

export interface PodOS {
  name: string;
}

export interface PodReadinessGate {
  conditionType: string;
}

export interface PodResourceClaim {
  name: string;
  resourceClaimName?: string | undefined;
  resourceClaimTemplateName?: string | undefined;
}

export interface PodResourceClaimStatus {
  name: string;
  resourceClaimName?: string | undefined;
}

export interface PodSchedulingGate {
  name: string;
}

export interface PodSchedulingGroup {
  podGroupName?: string | undefined;
}

export interface PodSecurityContext {
  appArmorProfile?: AppArmorProfile | undefined;
  fsGroup?: number | undefined;
  fsGroupChangePolicy?: "Always" | "OnRootMismatch" | undefined;
  runAsGroup?: number | undefined;
  runAsNonRoot?: boolean | undefined;
  runAsUser?: number | undefined;
  seLinuxChangePolicy?: string | undefined;
  seLinuxOptions?: SELinuxOptions | undefined;
  seccompProfile?: SeccompProfile | undefined;
  supplementalGroups?: number[] | undefined;
  supplementalGroupsPolicy?: "Merge" | "Strict" | undefined;
  sysctls?: Sysctl[] | undefined;
  windowsOptions?: WindowsSecurityContextOptions | undefined;
}

export interface PodSpec {
  activeDeadlineSeconds?: number | undefined;
  affinity?: Affinity | undefined;
  automountServiceAccountToken?: boolean | undefined;
  containers: Container[];
  dnsConfig?: PodDNSConfig | undefined;
  dnsPolicy?: "ClusterFirst" | "ClusterFirstWithHostNet" | "Default" | "None" | undefined;
  enableServiceLinks?: boolean | undefined;
  ephemeralContainers?: EphemeralContainer[] | undefined;
  hostAliases?: HostAlias[] | undefined;
  hostIPC?: boolean | undefined;
  hostNetwork?: boolean | undefined;
  hostPID?: boolean | undefined;
  hostUsers?: boolean | undefined;
  hostname?: string | undefined;
  hostnameOverride?: string | undefined;
  imagePullSecrets?: LocalObjectReference[] | undefined;
  initContainers?: Container[] | undefined;
  nodeName?: string | undefined;
  nodeSelector?: Record<string, string> | undefined;
  os?: PodOS | undefined;
  overhead?: Record<string, string | number> | undefined;
  preemptionPolicy?: "Never" | "PreemptLowerPriority" | undefined;
  priority?: number | undefined;
  priorityClassName?: string | undefined;
  readinessGates?: PodReadinessGate[] | undefined;
  resourceClaims?: PodResourceClaim[] | undefined;
  resources?: ResourceRequirements | undefined;
  restartPolicy?: "Always" | "Never" | "OnFailure" | undefined;
  runtimeClassName?: string | undefined;
  schedulerName?: string | undefined;
  schedulingGates?: PodSchedulingGate[] | undefined;
  schedulingGroup?: PodSchedulingGroup | undefined;
  securityContext?: PodSecurityContext | undefined;
  serviceAccount?: string | undefined;
  serviceAccountName?: string | undefined;
  setHostnameAsFQDN?: boolean | undefined;
  shareProcessNamespace?: boolean | undefined;
  subdomain?: string | undefined;
  terminationGracePeriodSeconds?: number | undefined;
  tolerations?: Toleration[] | undefined;
  topologySpreadConstraints?: TopologySpreadConstraint[] | undefined;
  volumes?: Volume[] | undefined;
}

export interface PodStatus {
  allocatedResources?: Record<string, string | number> | undefined;
  conditions?: PodCondition[] | undefined;
  containerStatuses?: ContainerStatus[] | undefined;
  ephemeralContainerStatuses?: ContainerStatus[] | undefined;
  extendedResourceClaimStatus?: PodExtendedResourceClaimStatus | undefined;
  hostIP?: string | undefined;
  hostIPs?: HostIP[] | undefined;
  initContainerStatuses?: ContainerStatus[] | undefined;
  message?: string | undefined;
  nodeAllocatableResourceClaimStatuses?: NodeAllocatableResourceClaimStatus[] | undefined;
  nominatedNodeName?: string | undefined;
  observedGeneration?: number | undefined;
  phase?: "Failed" | "Pending" | "Running" | "Succeeded" | "Unknown" | undefined;
  podIP?: string | undefined;
  podIPs?: PodIP[] | undefined;
  qosClass?: "BestEffort" | "Burstable" | "Guaranteed" | undefined;
  reason?: string | undefined;
  resize?: string | undefined;
  resourceClaimStatuses?: PodResourceClaimStatus[] | undefined;
  resources?: ResourceRequirements | undefined;
  startTime?: string | undefined;
}

/** An object of kind PodTemplate in v1. */
export interface PodTemplate {
  apiVersion: "v1";
  kind: "PodTemplate";
  metadata: ReadMeta;
  template?: PodTemplateSpec | undefined;
}
interface PodTemplateTypes { read: PodTemplate; write: { template?: PodTemplateSpec | undefined; }; status: never; conditions: never }
/** The kind PodTemplate in v1. */
export const PodTemplate: Kind<"/v1/PodTemplate", "Namespaced", PodTemplateTypes> = /* @__PURE__ */ defineKind({ group: "", version: "v1", kind: "PodTemplate", plural: "podtemplates", scope: "Namespaced" });

export interface PodTemplateSpec {
  metadata?: ObjectMeta | undefined;
  spec?: PodSpec | undefined;
}

export interface PortStatus {
  error?: string | undefined;
  port: number;
  protocol: "SCTP" | "TCP" | "UDP";
}

export interface PortworxVolumeSource {
  fsType?: string | undefined;
  readOnly?: boolean | undefined;
  volumeID: string;
}

export interface PreferredSchedulingTerm {
  preference: NodeSelectorTerm;
  weight: number;
}

export interface Probe {
  exec?: ExecAction | undefined;
  failureThreshold?: number | undefined;
  grpc?: GRPCAction | undefined;
  httpGet?: HTTPGetAction | undefined;
  initialDelaySeconds?: number | undefined;
  periodSeconds?: number | undefined;
  successThreshold?: number | undefined;
  tcpSocket?: TCPSocketAction | undefined;
  terminationGracePeriodSeconds?: number | undefined;
  timeoutSeconds?: number | undefined;
}

export interface ProjectedVolumeSource {
  defaultMode?: number | undefined;
  sources?: VolumeProjection[] | undefined;
}

export interface QuobyteVolumeSource {
  group?: string | undefined;
  readOnly?: boolean | undefined;
  registry: string;
  tenant?: string | undefined;
  user?: string | undefined;
  volume: string;
}

export interface RBDPersistentVolumeSource {
  fsType?: string | undefined;
  image: string;
  keyring?: string | undefined;
  monitors: string[];
  pool?: string | undefined;
  readOnly?: boolean | undefined;
  secretRef?: SecretReference | undefined;
  user?: string | undefined;
}

export interface RBDVolumeSource {
  fsType?: string | undefined;
  image: string;
  keyring?: string | undefined;
  monitors: string[];
  pool?: string | undefined;
  readOnly?: boolean | undefined;
  secretRef?: LocalObjectReference | undefined;
  user?: string | undefined;
}

/** An object of kind ReplicationController in v1. */
export interface ReplicationController {
  apiVersion: "v1";
  kind: "ReplicationController";
  metadata: ReadMeta;
  spec: ReplicationControllerSpec;
  status?: ReplicationControllerStatus;
}
interface ReplicationControllerTypes { read: ReplicationController; write: { spec?: ReplicationControllerSpec | undefined; }; status: ReplicationControllerStatus; conditions: never }
/** The kind ReplicationController in v1. */
export const ReplicationController: Kind<"/v1/ReplicationController", "Namespaced", ReplicationControllerTypes> = /* @__PURE__ */ defineKind({ group: "", version: "v1", kind: "ReplicationController", plural: "replicationcontrollers", scope: "Namespaced" });

export interface ReplicationControllerCondition {
  lastTransitionTime?: string | undefined;
  message?: string | undefined;
  reason?: string | undefined;
  status: string;
  type: string;
}

export interface ReplicationControllerSpec {
  minReadySeconds?: number | undefined;
  replicas?: number | undefined;
  selector?: Record<string, string> | undefined;
  template?: PodTemplateSpec | undefined;
}

export interface ReplicationControllerStatus {
  availableReplicas?: number | undefined;
  conditions?: ReplicationControllerCondition[] | undefined;
  fullyLabeledReplicas?: number | undefined;
  observedGeneration?: number | undefined;
  readyReplicas?: number | undefined;
  replicas: number;
}

export interface ResourceClaim {
  name: string;
  request?: string | undefined;
}

export interface ResourceFieldSelector {
  containerName?: string | undefined;
  divisor?: string | number | undefined;
  resource: string;
}

export interface ResourceHealth {
  health?: string | undefined;
  message?: string | undefined;
  resourceID: string;
}

/** An object of kind ResourceQuota in v1. */
export interface ResourceQuota {
  apiVersion: "v1";
  kind: "ResourceQuota";
  metadata: ReadMeta;
  spec: ResourceQuotaSpec;
  status?: ResourceQuotaStatus;
}
interface ResourceQuotaTypes { read: ResourceQuota; write: { spec?: ResourceQuotaSpec | undefined; }; status: ResourceQuotaStatus; conditions: never }
/** The kind ResourceQuota in v1. */
export const ResourceQuota: Kind<"/v1/ResourceQuota", "Namespaced", ResourceQuotaTypes> = /* @__PURE__ */ defineKind({ group: "", version: "v1", kind: "ResourceQuota", plural: "resourcequotas", scope: "Namespaced" });

export interface ResourceQuotaSpec {
  hard?: Record<string, string | number> | undefined;
  scopeSelector?: ScopeSelector | undefined;
  scopes?: ("BestEffort" | "CrossNamespacePodAffinity" | "NotBestEffort" | "NotTerminating" | "PriorityClass" | "Terminating" | "VolumeAttributesClass")[] | undefined;
}

export interface ResourceQuotaStatus {
  hard?: Record<string, string | number> | undefined;
  used?: Record<string, string | number> | undefined;
}

export interface ResourceRequirements {
  claims?: ResourceClaim[] | undefined;
  limits?: Record<string, string | number> | undefined;
  requests?: Record<string, string | number> | undefined;
}

export interface ResourceStatus {
  name: string;
  resources?: ResourceHealth[] | undefined;
}

export interface SELinuxOptions {
  level?: string | undefined;
  role?: string | undefined;
  type?: string | undefined;
  user?: string | undefined;
}

export interface ScaleIOPersistentVolumeSource {
  fsType?: string | undefined;
  gateway: string;
  protectionDomain?: string | undefined;
  readOnly?: boolean | undefined;
  secretRef: SecretReference;
  sslEnabled?: boolean | undefined;
  storageMode?: string | undefined;
  storagePool?: string | undefined;
  system: string;
  volumeName?: string | undefined;
}

export interface ScaleIOVolumeSource {
  fsType?: string | undefined;
  gateway: string;
  protectionDomain?: string | undefined;
  readOnly?: boolean | undefined;
  secretRef: LocalObjectReference;
  sslEnabled?: boolean | undefined;
  storageMode?: string | undefined;
  storagePool?: string | undefined;
  system: string;
  volumeName?: string | undefined;
}

export interface ScopeSelector {
  matchExpressions?: ScopedResourceSelectorRequirement[] | undefined;
}

export interface ScopedResourceSelectorRequirement {
  operator: "DoesNotExist" | "Exists" | "In" | "NotIn";
  scopeName: "BestEffort" | "CrossNamespacePodAffinity" | "NotBestEffort" | "NotTerminating" | "PriorityClass" | "Terminating" | "VolumeAttributesClass";
  values?: string[] | undefined;
}

export interface SeccompProfile {
  localhostProfile?: string | undefined;
  type: "Localhost" | "RuntimeDefault" | "Unconfined";
}

/** An object of kind Secret in v1. */
export interface Secret {
  apiVersion: "v1";
  kind: "Secret";
  metadata: ReadMeta;
  data?: Record<string, string> | undefined;
  immutable?: boolean | undefined;
  stringData?: Record<string, string> | undefined;
  type?: string | undefined;
}
interface SecretTypes { read: Secret; write: { data?: Record<string, string> | undefined; immutable?: boolean | undefined; stringData?: Record<string, string> | undefined; type?: string | undefined; }; status: never; conditions: never }
/** The kind Secret in v1. */
export const Secret: Kind<"/v1/Secret", "Namespaced", SecretTypes> = /* @__PURE__ */ defineKind({ group: "", version: "v1", kind: "Secret", plural: "secrets", scope: "Namespaced" });

export interface SecretEnvSource {
  name?: string | undefined;
  optional?: boolean | undefined;
}

export interface SecretKeySelector {
  key: string;
  name?: string | undefined;
  optional?: boolean | undefined;
}

export interface SecretProjection {
  items?: KeyToPath[] | undefined;
  name?: string | undefined;
  optional?: boolean | undefined;
}

export interface SecretReference {
  name?: string | undefined;
  namespace?: string | undefined;
}

export interface SecretVolumeSource {
  defaultMode?: number | undefined;
  items?: KeyToPath[] | undefined;
  optional?: boolean | undefined;
  secretName?: string | undefined;
}

export interface SecurityContext {
  allowPrivilegeEscalation?: boolean | undefined;
  appArmorProfile?: AppArmorProfile | undefined;
  capabilities?: Capabilities | undefined;
  privileged?: boolean | undefined;
  procMount?: "Default" | "Unmasked" | undefined;
  readOnlyRootFilesystem?: boolean | undefined;
  runAsGroup?: number | undefined;
  runAsNonRoot?: boolean | undefined;
  runAsUser?: number | undefined;
  seLinuxOptions?: SELinuxOptions | undefined;
  seccompProfile?: SeccompProfile | undefined;
  windowsOptions?: WindowsSecurityContextOptions | undefined;
}

/** An object of kind Service in v1. */
export interface Service {
  apiVersion: "v1";
  kind: "Service";
  metadata: ReadMeta;
  spec: ServiceSpec;
  status?: ServiceStatus;
}
interface ServiceTypes { read: Service; write: { spec?: ServiceSpec | undefined; }; status: ServiceStatus; conditions: never }
/** The kind Service in v1. */
export const Service: Kind<"/v1/Service", "Namespaced", ServiceTypes> = /* @__PURE__ */ defineKind({ group: "", version: "v1", kind: "Service", plural: "services", scope: "Namespaced" });

/** An object of kind ServiceAccount in v1. */
export interface ServiceAccount {
  apiVersion: "v1";
  kind: "ServiceAccount";
  metadata: ReadMeta;
  automountServiceAccountToken?: boolean | undefined;
  imagePullSecrets?: LocalObjectReference[] | undefined;
  secrets?: ObjectReference[] | undefined;
}
interface ServiceAccountTypes { read: ServiceAccount; write: { automountServiceAccountToken?: boolean | undefined; imagePullSecrets?: LocalObjectReference[] | undefined; secrets?: ObjectReference[] | undefined; }; status: never; conditions: never }
/** The kind ServiceAccount in v1. */
export const ServiceAccount: Kind<"/v1/ServiceAccount", "Namespaced", ServiceAccountTypes> = /* @__PURE__ */ defineKind({ group: "", version: "v1", kind: "ServiceAccount", plural: "serviceaccounts", scope: "Namespaced" });

export interface ServiceAccountTokenProjection {
  audience?: string | undefined;
  expirationSeconds?: number | undefined;
  path: string;
}

export interface ServicePort {
  appProtocol?: string | undefined;
  name?: string | undefined;
  nodePort?: number | undefined;
  port: number;
  protocol?: "SCTP" | "TCP" | "UDP" | undefined;
  targetPort?: number | string | undefined;
}

export interface ServiceSpec {
  allocateLoadBalancerNodePorts?: boolean | undefined;
  clusterIP?: string | undefined;
  clusterIPs?: string[] | undefined;
  externalIPs?: string[] | undefined;
  externalName?: string | undefined;
  externalTrafficPolicy?: "Cluster" | "Local" | undefined;
  healthCheckNodePort?: number | undefined;
  internalTrafficPolicy?: "Cluster" | "Local" | undefined;
  ipFamilies?: ("" | "IPv4" | "IPv6")[] | undefined;
  ipFamilyPolicy?: "PreferDualStack" | "RequireDualStack" | "SingleStack" | undefined;
  loadBalancerClass?: string | undefined;
  loadBalancerIP?: string | undefined;
  loadBalancerSourceRanges?: string[] | undefined;
  ports?: ServicePort[] | undefined;
  publishNotReadyAddresses?: boolean | undefined;
  selector?: Record<string, string> | undefined;
  sessionAffinity?: "ClientIP" | "None" | undefined;
  sessionAffinityConfig?: SessionAffinityConfig | undefined;
  trafficDistribution?: string | undefined;
  type?: "ClusterIP" | "ExternalName" | "LoadBalancer" | "NodePort" | undefined;
}

export interface ServiceStatus {
  conditions?: Condition[] | undefined;
  loadBalancer?: LoadBalancerStatus | undefined;
}

export interface SessionAffinityConfig {
  clientIP?: ClientIPConfig | undefined;
}

export interface SleepAction {
  seconds: number;
}

export interface StorageOSPersistentVolumeSource {
  fsType?: string | undefined;
  readOnly?: boolean | undefined;
  secretRef?: ObjectReference | undefined;
  volumeName?: string | undefined;
  volumeNamespace?: string | undefined;
}

export interface StorageOSVolumeSource {
  fsType?: string | undefined;
  readOnly?: boolean | undefined;
  secretRef?: LocalObjectReference | undefined;
  volumeName?: string | undefined;
  volumeNamespace?: string | undefined;
}

export interface Sysctl {
  name: string;
  value: string;
}

export interface TCPSocketAction {
  host?: string | undefined;
  port: number | string;
}

export interface Taint {
  effect: "NoExecute" | "NoSchedule" | "PreferNoSchedule";
  key: string;
  timeAdded?: string | undefined;
  value?: string | undefined;
}

export interface Toleration {
  effect?: "NoExecute" | "NoSchedule" | "PreferNoSchedule" | undefined;
  key?: string | undefined;
  operator?: "Equal" | "Exists" | "Gt" | "Lt" | undefined;
  tolerationSeconds?: number | undefined;
  value?: string | undefined;
}

export interface TopologySelectorLabelRequirement {
  key: string;
  values: string[];
}

export interface TopologySelectorTerm {
  matchLabelExpressions?: TopologySelectorLabelRequirement[] | undefined;
}

export interface TopologySpreadConstraint {
  labelSelector?: LabelSelector | undefined;
  matchLabelKeys?: string[] | undefined;
  maxSkew: number;
  minDomains?: number | undefined;
  nodeAffinityPolicy?: "Honor" | "Ignore" | undefined;
  nodeTaintsPolicy?: "Honor" | "Ignore" | undefined;
  topologyKey: string;
  whenUnsatisfiable: "DoNotSchedule" | "ScheduleAnyway";
}

export interface TypedLocalObjectReference {
  apiGroup?: string | undefined;
  kind: string;
  name: string;
}

export interface TypedObjectReference {
  apiGroup?: string | undefined;
  kind: string;
  name: string;
  namespace?: string | undefined;
}

export interface Volume {
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource | undefined;
  azureDisk?: AzureDiskVolumeSource | undefined;
  azureFile?: AzureFileVolumeSource | undefined;
  cephfs?: CephFSVolumeSource | undefined;
  cinder?: CinderVolumeSource | undefined;
  configMap?: ConfigMapVolumeSource | undefined;
  csi?: CSIVolumeSource | undefined;
  downwardAPI?: DownwardAPIVolumeSource | undefined;
  emptyDir?: EmptyDirVolumeSource | undefined;
  ephemeral?: EphemeralVolumeSource | undefined;
  fc?: FCVolumeSource | undefined;
  flexVolume?: FlexVolumeSource | undefined;
  flocker?: FlockerVolumeSource | undefined;
  gcePersistentDisk?: GCEPersistentDiskVolumeSource | undefined;
  gitRepo?: GitRepoVolumeSource | undefined;
  glusterfs?: GlusterfsVolumeSource | undefined;
  hostPath?: HostPathVolumeSource | undefined;
  image?: ImageVolumeSource | undefined;
  iscsi?: ISCSIVolumeSource | undefined;
  name: string;
  nfs?: NFSVolumeSource | undefined;
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource | undefined;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource | undefined;
  portworxVolume?: PortworxVolumeSource | undefined;
  projected?: ProjectedVolumeSource | undefined;
  quobyte?: QuobyteVolumeSource | undefined;
  rbd?: RBDVolumeSource | undefined;
  scaleIO?: ScaleIOVolumeSource | undefined;
  secret?: SecretVolumeSource | undefined;
  storageos?: StorageOSVolumeSource | undefined;
  vsphereVolume?: VsphereVirtualDiskVolumeSource | undefined;
}

export interface VolumeDevice {
  devicePath: string;
  name: string;
}

export interface VolumeMount {
  mountPath: string;
  mountPropagation?: "Bidirectional" | "HostToContainer" | "None" | undefined;
  name: string;
  readOnly?: boolean | undefined;
  recursiveReadOnly?: string | undefined;
  subPath?: string | undefined;
  subPathExpr?: string | undefined;
}

export interface VolumeMountStatus {
  mountPath: string;
  name: string;
  readOnly?: boolean | undefined;
  recursiveReadOnly?: string | undefined;
  volumeStatus?: VolumeStatus | undefined;
}

export interface VolumeNodeAffinity {
  required?: NodeSelector | undefined;
}

export interface VolumeProjection {
  clusterTrustBundle?: ClusterTrustBundleProjection | undefined;
  configMap?: ConfigMapProjection | undefined;
  downwardAPI?: DownwardAPIProjection | undefined;
  podCertificate?: PodCertificateProjection | undefined;
  secret?: SecretProjection | undefined;
  serviceAccountToken?: ServiceAccountTokenProjection | undefined;
}

export interface VolumeResourceRequirements {
  limits?: Record<string, string | number> | undefined;
  requests?: Record<string, string | number> | undefined;
}

export interface VolumeStatus {
  image?: ImageVolumeStatus | undefined;
}

export interface VsphereVirtualDiskVolumeSource {
  fsType?: string | undefined;
  storagePolicyID?: string | undefined;
  storagePolicyName?: string | undefined;
  volumePath: string;
}

export interface WeightedPodAffinityTerm {
  podAffinityTerm: PodAffinityTerm;
  weight: number;
}

export interface WindowsSecurityContextOptions {
  gmsaCredentialSpec?: string | undefined;
  gmsaCredentialSpecName?: string | undefined;
  hostProcess?: boolean | undefined;
  runAsUserName?: string | undefined;
}
