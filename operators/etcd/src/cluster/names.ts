import { createHash, randomInt } from "node:crypto";
import type { ReadEtcdCluster } from "../resources/etcd-cluster.js";

export const clientPort = 2379;
export const peerPort = 2380;

/** Of a Pod: the version of etcd in its image, by its tag. */
export const versionAnnotation = "etcd.version";
const prefix = "etcd.database.coreos.com";
/** Of a Pod: the ID of the container that an upgrade replaces. The upgrade of the Pod has happened when its container has another ID. */
export const replacedContainerAnnotation = `${prefix}/replaced-container`;
/** Of a Pod: a hash of the placement rules that it was created with. */
export const placementAnnotation = `${prefix}/placement`;
/** Of a Pod that starts its member as the only one of the cluster. */
export const forcedAnnotation = `${prefix}/force-new-cluster`;
/** Of a PersistentVolumeClaim: how often its member was restarted since it was last healthy. */
export const restartsAnnotation = `${prefix}/restarts`;
/** Of an EtcdCluster whose data is lost: the user accepts that it starts empty. */
export const acceptDataLossAnnotation = `${prefix}/accept-data-loss`;
/** Of an EtcdCluster: `clusterwide` assigns it to an operator that runs with `--cluster-wide`. */
export const scopeAnnotation = `${prefix}/scope`;

/** The labels of everything that belongs to a cluster. */
export function clusterLabels(cluster: string): { readonly app: "etcd"; readonly etcd_cluster: string } {
  return { app: "etcd", etcd_cluster: cluster };
}

const letters = "abcdefghijklmnopqrstuvwxyz0123456789";

/** A name for a new member. It is recorded in etcd, as a part of the peer URL, before anything else is created. */
export function newMemberName(cluster: string): string {
  return `${cluster}-${Array.from({ length: 10 }, () => letters[randomInt(letters.length)]).join("")}`;
}

/** The name of the first member: the same for a repeated run, and another one after each loss of all data. */
export function seedName({ metadata: { name, uid }, status }: ReadEtcdCluster): string {
  const digest = createHash("sha256")
    .update(`${uid} ${status?.recoveries ?? 0}`)
    .digest();
  return `${name}-${Array.from(digest.subarray(0, 10), (byte) => letters[byte % letters.length]).join("")}`;
}

/** The DNS name of a member: that of its Pod by the headless Service. */
function hostOf(cluster: ReadEtcdCluster, member: string): string {
  const { name, namespace = "default" } = cluster.metadata;
  return `${member}.${name}.${namespace}.svc${cluster.spec.pod?.ClusterDomain ?? ""}`;
}

export function peerURL(cluster: ReadEtcdCluster, member: string): string {
  const scheme = cluster.spec.TLS?.static.member?.peerSecret === undefined ? "http" : "https";
  return `${scheme}://${hostOf(cluster, member)}:${peerPort}`;
}

export function clientURL(cluster: ReadEtcdCluster, member: string): string {
  const scheme = cluster.spec.TLS?.static.member?.serverSecret === undefined ? "http" : "https";
  return `${scheme}://${hostOf(cluster, member)}:${clientPort}`;
}

/** The name of a member by its peer URL; undefined if the URL is not one of this operator. */
export function memberOf(cluster: ReadEtcdCluster, url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const [member = "", of] = new URL(url).hostname.split(".");
  return of === cluster.metadata.name && member.startsWith(`${of}-`) ? member : undefined;
}
