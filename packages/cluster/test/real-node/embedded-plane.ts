import { startCluster } from "@kubewright/cluster";
import { type NodePlace, publishApiServer, type ServerAddress } from "@kubewright/cluster/real-node";
import type { Transport } from "@kubewright/core/transport";

/** A control plane that a real node can join. */
export interface JoinablePlane {
  /** As the node reaches it. */
  readonly server: ServerAddress;
  /** Requests of the administrator. */
  readonly transport: Transport;
  /** Of the administrator, on the host. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

/** The embedded cluster without simulated nodes, for the node of this place. */
export async function startEmbeddedPlane({ hostAddress }: NodePlace): Promise<JoinablePlane> {
  const cluster = await startCluster({ workloads: { nodes: 0 } });
  const { kubeconfig } = await cluster.listen({ names: [hostAddress] });
  const server = await cluster.listen({ host: hostAddress });
  await publishApiServer(cluster.transport, server.url);
  return { server, kubeconfig, transport: cluster.transport, stop: () => cluster.close() };
}
