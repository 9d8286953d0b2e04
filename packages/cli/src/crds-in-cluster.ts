import type { JsonObject } from "@kubewright/core/json";
import { connect } from "kubewright";
import { CustomResourceDefinition } from "kubewright/k8s/apiextensions/v1";

/** The cluster to read from: by default that of the current context. */
export interface ClusterChoice {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** The CRDs of a cluster with these names (`issuers.cert-manager.io`), or all. Rejects when one does not exist. */
export async function crdsInCluster(
  names: readonly string[] | undefined,
  { kubeconfig, context }: ClusterChoice,
): Promise<JsonObject[]> {
  await using client = await connect({
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
  });
  const { apiVersion, kind } = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" };
  const found: object[] = [];
  if (names === undefined) for await (const crd of client.list(CustomResourceDefinition)) found.push(crd);
  else for (const name of names) found.push(await client.get(CustomResourceDefinition, name));
  // Items of a list have no apiVersion and kind.
  return found.map((crd) => ({ ...(crd as JsonObject), apiVersion, kind }));
}
