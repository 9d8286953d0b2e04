/** The options of `kubewright cluster start`. */
export interface ClusterStartOptions {
  readonly name: string;
  readonly kubeconfig?: string;
  readonly mergeKubeconfig?: boolean;
  readonly setContext?: boolean;
  readonly port?: number;
  readonly dataDir?: string;
  /** Number of simulated nodes. */
  readonly nodes?: number;
  /** A node of this machine, whose containers run. */
  readonly realNode?: boolean;
  /** False: no controllers, no scheduler, no nodes. */
  readonly workloads?: boolean;
  /** Names of admission plugins to enable and to disable. */
  readonly enableAdmissionPlugins?: readonly string[];
  readonly disableAdmissionPlugins?: readonly string[];
  /** YAML file with an audit policy, and file to which audit events are appended. */
  readonly auditPolicyFile?: string;
  readonly auditLogPath?: string;
  /** CSV file with bearer tokens of users. */
  readonly tokenAuthFile?: string;
  readonly detach?: boolean;
  readonly output: string;
}
