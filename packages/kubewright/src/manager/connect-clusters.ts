import { systemClock } from "@kubewright/core/clock";
import { HttpsTransport, type LoadConnectionOptions, loadConnection } from "../transport/index.js";
import type { StartCluster } from "./start-options.js";

/** The kubeconfig and context of another cluster. */
export interface ClusterConnection extends Pick<LoadConnectionOptions, "kubeconfig" | "context"> {
  /** The address of the API server, instead of the kubeconfig's. */
  readonly server?: string;
  /** The only namespace, or namespaces, that it watches there. @default all namespaces */
  readonly namespace?: string | readonly string[];
}

/** Finds the API servers of other clusters. Sends nothing yet. The caller closes the transports. */
export async function connectClusters(
  clusters: Readonly<Record<string, ClusterConnection>>,
  userAgent: string,
): Promise<Record<string, StartCluster>> {
  const found = await Promise.all(
    Object.entries(clusters).map(async ([name, { server, namespace, ...where }]) => {
      const connection = { ...(await loadConnection(where)), ...(server !== undefined && { server }) };
      const transport = new HttpsTransport(connection, { clock: systemClock, userAgent });
      return [name, { transport, ...(namespace !== undefined && { namespace }) }] as const;
    }),
  );
  return Object.fromEntries(found);
}
