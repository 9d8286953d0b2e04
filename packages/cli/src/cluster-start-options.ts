/** The options of `kubewright cluster start`. */
export interface ClusterStartOptions {
  readonly name: string;
  readonly kubeconfig?: string;
  readonly mergeKubeconfig?: boolean;
  readonly setContext?: boolean;
  readonly port?: number;
  readonly dataDir?: string;
  readonly detach?: boolean;
  readonly output: string;
}
