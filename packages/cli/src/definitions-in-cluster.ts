import type { JsonObject } from "@kubewright/core/json";
import { connect } from "kubewright";
import { CustomResourceDefinition } from "kubewright/k8s/apiextensions/v1";

/** Which cluster is asked: that of the kubeconfig, unless told. */
export interface ClusterChoice {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** The definitions of these names (`issuers.cert-manager.io`) in a cluster, or all. Rejects when one is missing. */
export async function definitionsInCluster(
  names: readonly string[] | undefined,
  { kubeconfig, context }: ClusterChoice,
): Promise<JsonObject[]> {
  await using client = await connect({
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
  });
  const { apiVersion, kind } = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" };
  const found: object[] = [];
  if (names === undefined) for await (const definition of client.list(CustomResourceDefinition)) found.push(definition);
  else for (const name of names) found.push(await client.get(CustomResourceDefinition, name));
  // Items of a list do not say what they are.
  return found.map((definition) => ({ ...(definition as JsonObject), apiVersion, kind }));
}
