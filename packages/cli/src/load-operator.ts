import { loadForGeneration } from "@kubewright/core/meta";
import { connect, type Operator } from "kubewright";
import { exportedOperator } from "./exported-operator.js";
import { loadExports } from "./load-exports.js";

/** Which cluster a command works on: by default that of the current context. */
export interface TargetOptions {
  readonly context?: string;
  readonly kubeconfig?: string;
}

/** The operator of a module, which is loaded and not started. */
export async function loadOperator(module: string): Promise<Operator> {
  return exportedOperator(module, await loadForGeneration(() => loadExports(module)));
}

/** A client for the cluster. */
export function connectTo({ context, kubeconfig }: TargetOptions) {
  return connect({ ...(context !== undefined && { context }), ...(kubeconfig !== undefined && { kubeconfig }) });
}
