/** The options of `kubewright cluster start`. */
export interface ClusterStartOptions {
  readonly name: string;
  readonly kubeconfig?: string;
  readonly mergeKubeconfig?: boolean;
  readonly setContext?: boolean;
  readonly port?: number;
  readonly dataDir?: string;
  /** How many simulated nodes there are. */
  readonly nodes?: number;
  /** False where nothing is to make pods of workloads, nor to run them. */
  readonly workloads?: boolean;
  /** How definitions with CEL rules are handled. */
  readonly unevaluatedRules?: "reject" | "warn";
  readonly detach?: boolean;
  readonly output: string;
}
