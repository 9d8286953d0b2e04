import { PersistentVolumeClaim, Pod } from "kubewright/k8s/core/v1";
import {
  type EtcdConnection,
  type EtcdCredentials,
  EtcdError,
  type EtcdMember,
  type EtcdMembers,
} from "../members/etcd-members.js";
import type { ReadEtcdCluster } from "../resources/etcd-cluster.js";
import type { ClusterView, MemberView, ReadPod, ReadVolumeClaim } from "./cluster-view.js";
import type { ClusterContext } from "./context.js";
import { clientURL, clusterLabels, memberOf } from "./names.js";

/** Reads the Pods and volumes of a cluster, and asks each running member for its state and the member list. */
export async function observe(
  { object, list, signal }: ClusterContext,
  { etcd, credentials }: { readonly etcd: EtcdMembers; readonly credentials: EtcdCredentials | undefined },
): Promise<ClusterView> {
  const labels = clusterLabels(object.metadata.name);
  const isOurs = ({ metadata }: ReadPod | ReadVolumeClaim): boolean =>
    metadata.ownerReferences?.some(({ controller, uid }) => controller === true && uid === object.metadata.uid) ===
    true;
  const pods = new Map((await list(Pod, { labels })).filter(isOurs).map((pod) => [pod.metadata.name, pod]));
  const volumes = new Map(
    (await list(PersistentVolumeClaim, { labels })).filter(isOurs).map((volume) => [volume.metadata.name, volume]),
  );

  const options = { signal };
  const responding = (
    await Promise.all(
      [...pods.values()].filter(canRespond).map(async (pod) => {
        const connection = connectionTo(object, pod, credentials);
        const status = await etcd.status(connection, options).catch(unlessUnavailable);
        return status && { pod, connection, status };
      }),
    )
  ).filter((one) => one !== undefined);

  let agreed: { readonly members: readonly EtcdMember[]; readonly endpoint: EtcdConnection } | undefined;
  for (const { connection, status } of responding) {
    if (status.leaderId === undefined || status.isLearner) continue;
    const members = await etcd.list(connection, { ...options, linearizable: true }).catch(unlessUnavailable);
    if (members === undefined) continue;
    agreed = { members, endpoint: connection };
    break;
  }
  // A learner rejects all requests but that for its status.
  const voters = responding.filter(({ status }) => !status.isLearner);
  const newest = voters.toSorted((a, b) => compare(b.status.raftIndex, a.status.raftIndex))[0];
  const lastList =
    agreed === undefined && newest !== undefined
      ? await etcd.list(newest.connection, { ...options, linearizable: false }).catch(unlessUnavailable)
      : undefined;

  const entries = new Map((agreed?.members ?? []).map((entry) => [nameOf(object, entry), entry]));
  const statuses = new Map(responding.map(({ pod, status }) => [pod.metadata.name, status]));
  const members = [...new Set([...entries.keys(), ...pods.keys(), ...volumes.keys()])].toSorted().map(
    (name): MemberView => ({
      name,
      pod: pods.get(name),
      volume: volumes.get(name),
      entry: entries.get(name),
      status: statuses.get(name),
    }),
  );
  const leaderId = responding.find(({ connection }) => connection === agreed?.endpoint)?.status.leaderId;
  return {
    members,
    list: agreed?.members,
    lastList,
    endpoint: agreed?.endpoint,
    leader: leaderId === undefined ? undefined : members.find(({ entry }) => entry?.id === leaderId),
  };
}

/** The name of a member: its own, or before it has started that in its peer URL. */
export function nameOf(cluster: ReadEtcdCluster, { id, name, peerURLs }: EtcdMember): string {
  return memberOf(cluster, peerURLs[0] ?? "") ?? (name === "" ? id : name);
}

/** How the operator connects to the member in a Pod: to its IP address, so that it needs no DNS. */
export function connectionTo(
  cluster: ReadEtcdCluster,
  { metadata, spec, status }: ReadPod,
  credentials: EtcdCredentials | undefined,
): EtcdConnection {
  // The Pod may be older than the TLS settings of the spec.
  const isSecure = spec?.volumes?.some(({ name }) => name === "member-server-tls") === true;
  const url = new URL(clientURL(cluster, metadata.name));
  url.protocol = isSecure ? "https:" : "http:";
  return {
    url: url.href.replace(/\/$/, ""),
    ...(status?.podIP !== undefined && { address: status.podIP }),
    ...(isSecure && credentials !== undefined && { credentials }),
  };
}

function canRespond({ metadata, status }: ReadPod): boolean {
  return status?.phase === "Running" && metadata.deletionTimestamp === undefined;
}

/** What a member that rejects a call or does not respond says about itself: nothing. */
function unlessUnavailable(error: unknown): undefined {
  if (!(error instanceof EtcdError)) throw error;
  return undefined;
}

export function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
