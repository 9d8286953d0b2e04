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
  /** False: no controllers, no scheduler, no nodes. */
  readonly workloads?: boolean;
  readonly detach?: boolean;
  readonly output: string;
}
