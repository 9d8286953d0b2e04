import { startCluster, type WorkloadOptions } from "@kubewright/cluster";
import { type NodePlace, publishApiServer } from "@kubewright/cluster/real-node";
import type { JoinablePlane } from "./joinable-plane.js";

/** The embedded cluster, for the node of this place. Without options it has no simulated nodes. */
export async function startEmbeddedPlane(
  { hostAddress }: NodePlace,
  workloads: WorkloadOptions = { nodes: 0 },
): Promise<JoinablePlane> {
  const cluster = await startCluster({ workloads, enableAdmissionPlugins: ["NodeRestriction"] });
  const { kubeconfig } = await cluster.listen({ names: [hostAddress] });
  const server = await cluster.listen({ host: hostAddress });
  await publishApiServer(cluster.transport, server.url);
  return { server, kubeconfig, transport: cluster.transport, stop: () => cluster.close() };
}
