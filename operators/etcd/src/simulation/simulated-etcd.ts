import { createHash } from "node:crypto";
import type { Client, ReadOf } from "kubewright";
import { PersistentVolumeClaim, Pod } from "kubewright/k8s/core/v1";
import { compareVersions } from "../cluster/version.js";
import {
  type CallOptions,
  type EtcdAlarm,
  type EtcdConnection,
  EtcdError,
  type EtcdMember,
  type EtcdMemberStatus,
  type EtcdMembers,
} from "../members/etcd-members.js";
import { type EtcdFlags, etcdFlags } from "./etcd-flags.js";
import { type MemberData, type MemberProcess, SimulatedRaft, type Write } from "./simulated-raft.js";
import { encodeSnapshot, type FetchCommand, fetchSimulatedSnapshot } from "./simulated-snapshot.js";

type ReadPod = ReadOf<typeof Pod>;

/** Images with an older tag contain this version. */
const oldestVersion = "3.5.21";

/** A cluster, as URLs of members name it. */
export interface Place {
  readonly namespace: string;
  readonly cluster: string;
}

/** What the simulation reads, and how it ends Pods whose etcd would exit. */
export interface SimulatedNodes {
  pods(cluster: Place): Promise<readonly ReadPod[]>;
  volumeClaims(cluster: Place): Promise<readonly ReadOf<typeof PersistentVolumeClaim>[]>;
  readonly client: Pick<Client, "patchStatus">;
}

/** Lists from the server at each call. */
export function nodesOf(client: Pick<Client, "list" | "patchStatus">): SimulatedNodes {
  const selected = ({ namespace, cluster }: Place) => ({ namespace, labels: { etcd_cluster: cluster } });
  return {
    pods: (place) => all(client.list(Pod, selected(place))),
    volumeClaims: (place) => all(client.list(PersistentVolumeClaim, selected(place))),
    client,
  };
}

async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** What is known about the members of one cluster. */
interface ClusterState {
  /** Data directories by the uid of the PersistentVolumeClaim, or of the Pod without one. */
  readonly data: Map<string, MemberData>;
  /** Running members by Pod name. */
  processes: ReadonlyMap<string, MemberProcess & { readonly pod: ReadPod; readonly flags: EtcdFlags }>;
  /** Pods whose member has exited, by container ID. */
  readonly exited: Map<string, string>;
  /** What the init containers of Pods have fetched, by the uid of the Pod. */
  readonly restored: Map<string, readonly Write[]>;
}

/**
 * Members for Pods of simulated nodes, in which no etcd runs.
 *
 * A member exists while its Pod runs, and its data while its volume exists: what members do follows from the Pods and the PersistentVolumeClaims of the
 * cluster at each call. The rules are those of etcd: it rejects what etcd rejects, and a member whose etcd would exit ends its Pod. Keys and values are kept
 * in this process.
 */
export class SimulatedEtcd implements EtcdMembers {
  readonly #clusters = new Map<string, ClusterState>();
  readonly #violations: string[] = [];
  #nodes: SimulatedNodes | undefined;
  #now: () => number = Date.now;

  /** Takes the Pods from this cluster. Until then no member can be reached. */
  connect(nodes: SimulatedNodes, now: () => number): void {
    this.#nodes = nodes;
    this.#now = now;
  }

  /** What an operator must never do, and did: two clusters that accept writes, a member that starts without the data that it had. */
  get violations(): readonly string[] {
    return this.#violations;
  }

  async list(endpoint: EtcdConnection, { linearizable }: CallOptions & { readonly linearizable: boolean }) {
    const { raft, list } = await this.#voter(endpoint);
    if (!linearizable) return list;
    if (!raft.hasQuorum) throw new EtcdError("unavailable", "etcdserver: request timed out");
    return raft.members;
  }

  async addLearner(endpoint: EtcdConnection, peerURL: string, _options: CallOptions): Promise<EtcdMember> {
    const { raft, memberId } = await this.#voter(endpoint);
    return raft.addLearner(peerURL, memberId);
  }

  async promote(endpoint: EtcdConnection, memberId: string, _options: CallOptions): Promise<void> {
    (await this.#voter(endpoint)).raft.promote(memberId);
  }

  async remove(endpoint: EtcdConnection, memberId: string, _options: CallOptions): Promise<void> {
    const self = await this.#voter(endpoint);
    self.raft.remove(memberId, self.memberId);
  }

  async status(endpoint: EtcdConnection, _options: CallOptions): Promise<EtcdMemberStatus> {
    const { data, version } = await this.#reach(endpoint);
    const { raft, applied, memberId, dbSize, dbSizeInUse } = data;
    return {
      memberId,
      version,
      revision: raft.revisionAt(applied),
      leaderId: raft.leaderId,
      raftTerm: raft.term,
      raftIndex: BigInt(applied),
      dbSize,
      dbSizeInUse,
      isLearner: this.#isLearner(data),
      errors: raft.leaderId === undefined ? ["etcdserver: no leader"] : [],
    };
  }

  async moveLeader(endpoint: EtcdConnection, toMemberId: string, _options: CallOptions): Promise<void> {
    const { raft, memberId } = await this.#voter(endpoint);
    raft.moveLeader(memberId, toMemberId);
  }

  async alarms(endpoint: EtcdConnection, _options: CallOptions): Promise<readonly EtcdAlarm[]> {
    return (await this.#reach(endpoint)).data.raft.alarms;
  }

  async disarm(endpoint: EtcdConnection, alarm: EtcdAlarm, _options: CallOptions): Promise<void> {
    (await this.#voter(endpoint)).raft.disarm(alarm);
  }

  async defragment(endpoint: EtcdConnection, _options: CallOptions): Promise<void> {
    const { data } = await this.#reach(endpoint);
    data.dbSize = data.dbSizeInUse;
  }

  async compact(endpoint: EtcdConnection, revision: bigint, _options: CallOptions): Promise<void> {
    (await this.#voter(endpoint)).raft.compact(revision);
  }

  async *snapshot(endpoint: EtcdConnection, _options: CallOptions): AsyncIterable<Uint8Array> {
    const { data } = await this.#reach(endpoint);
    const content = encodeSnapshot(data.raft.logOf(data));
    yield content;
    yield createHash("sha256").update(content).digest();
  }

  async put(endpoint: EtcdConnection, key: string, value: string, _options: CallOptions): Promise<bigint> {
    return (await this.#voter(endpoint)).raft.write({ key, value });
  }

  async get(endpoint: EtcdConnection, key: string, _options: CallOptions): Promise<string | undefined> {
    return (await this.#voter(endpoint)).raft.read(key);
  }

  /** Sets the size of the database of each member of a cluster, as many writes would. */
  async fill(
    endpoint: EtcdConnection,
    sizes: { readonly dbSize: number; readonly dbSizeInUse: number },
  ): Promise<void> {
    const { data } = await this.#reach(endpoint);
    const { data: all } = this.#stateOf(endpoint);
    for (const one of all.values()) if (one.raft === data.raft) Object.assign(one, sizes);
  }

  /** Raises an alarm, as a member does that finds its data corrupt. */
  async raise(endpoint: EtcdConnection, alarm: EtcdAlarm["alarm"]): Promise<void> {
    const { data } = await this.#reach(endpoint);
    data.raft.raise({ memberId: data.memberId, alarm });
  }

  #isLearner({ raft, memberId }: MemberData): boolean {
    return raft.members.some(({ id, isLearner }) => id === memberId && isLearner);
  }

  async #voter(endpoint: EtcdConnection): Promise<MemberData> {
    const { data } = await this.#reach(endpoint);
    if (this.#isLearner(data)) throw new EtcdError("other", "etcdserver: rpc not supported for learner");
    return data;
  }

  #stateOf({ url }: EtcdConnection): ClusterState {
    const { namespace, cluster } = placeOf(url);
    const key = `${namespace}/${cluster}`;
    const known = this.#clusters.get(key) ?? {
      data: new Map(),
      processes: new Map(),
      exited: new Map(),
      restored: new Map(),
    };
    this.#clusters.set(key, known);
    return known;
  }

  /** The member at a URL: of a Pod, or of any Pod behind the Service for clients. */
  async #reach(endpoint: EtcdConnection): Promise<MemberProcess> {
    const place = placeOf(endpoint.url);
    const { processes } = await this.#refresh(place, this.#stateOf(endpoint));
    const found =
      place.member === undefined
        ? // Only members that serve are ready.
          [...processes.values()].find(({ data }) => data.raft.hasQuorum && !this.#isLearner(data))
        : processes.get(place.member);
    if (found === undefined)
      throw new EtcdError("unavailable", `Cannot connect to ${endpoint.url}: connection refused`);
    const isSecure = found.flags.clientURL.startsWith("https:");
    if (isSecure !== endpoint.url.startsWith("https:") || (isSecure && endpoint.credentials === undefined))
      throw new EtcdError("unavailable", `Cannot connect to ${endpoint.url}: TLS handshake failed`);
    return found;
  }

  /** Brings the members up to date with the Pods and volumes of their cluster. */
  async #refresh(place: Place, known: ClusterState): Promise<ClusterState> {
    const nodes = this.#nodes;
    if (nodes === undefined) throw new EtcdError("unavailable", "The simulated members are not connected to a cluster");
    const pods = await nodes.pods(place);
    const claims = new Map((await nodes.volumeClaims(place)).map(({ metadata }) => [metadata.name, metadata.uid]));
    const volumes = new Set([...claims.values(), ...pods.map(({ metadata }) => metadata.uid)]);
    for (const volume of known.data.keys()) if (!volumes.has(volume)) known.data.delete(volume);

    // Before anything else happens: what follows must not be interrupted by another refresh.
    const restoring = pods.filter(
      (pod) => isRunning(pod) && !known.data.has(claims.get(claimOf(pod) ?? "") ?? pod.metadata.uid),
    );
    for (const pod of restoring) {
      const command = fetchCommandOf(pod);
      if (command === undefined || known.restored.has(pod.metadata.uid)) continue;
      const log = await fetchSimulatedSnapshot(command).catch((error: unknown) => String(error));
      if (typeof log !== "string") known.restored.set(pod.metadata.uid, log);
      else known.exited.set(containerOf(pod), log);
      if (typeof log === "string") await endPod(nodes.client, pod, log);
    }

    const before = known.processes;
    const processes = new Map<string, MemberProcess & { readonly pod: ReadPod; readonly flags: EtcdFlags }>();
    const ended: { readonly pod: ReadPod; readonly why: string }[] = [];
    const starting: ReadPod[] = [];
    for (const pod of pods.filter((one) => isRunning(one) && !known.exited.has(containerOf(one)))) {
      const running = before.get(pod.metadata.name);
      if (running !== undefined && containerOf(running.pod) === containerOf(pod))
        processes.set(pod.metadata.name, running);
      else starting.push(pod);
    }
    known.processes = processes;
    this.#tick(processes);
    // Those with data first: the others need them to join.
    const volumeOf = (pod: ReadPod): string => claims.get(claimOf(pod) ?? "") ?? pod.metadata.uid;
    for (const pod of starting.toSorted(
      (a, b) => Number(known.data.has(volumeOf(b))) - Number(known.data.has(volumeOf(a))),
    )) {
      try {
        const flags = etcdFlags(commandOf(pod));
        const version = versionOf(pod);
        const data = this.#start(flags, {
          version,
          data: known.data.get(volumeOf(pod)),
          log: known.restored.get(pod.metadata.uid),
          running: processes,
        });
        known.data.set(volumeOf(pod), data);
        const process = { data, name: flags.name, version, startedMs: startedMs(pod), quota: flags.quota, pod, flags };
        processes.set(pod.metadata.name, process);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        if (why.includes("lost its data")) this.#violations.push(`${pod.metadata.name}: ${why}`);
        known.exited.set(containerOf(pod), why);
        ended.push({ pod, why });
      }
      this.#tick(processes);
    }
    for (const [name, { data, version, pod }] of processes) {
      const why = data.raft.whyNotRunnable(data, version);
      if (why === undefined) continue;
      processes.delete(name);
      known.exited.set(containerOf(pod), why);
      ended.push({ pod, why });
    }
    this.#checkSplit(processes);
    for (const { pod, why } of ended) await endPod(nodes.client, pod, why);
    return known;
  }

  #start(
    flags: EtcdFlags,
    {
      version,
      data,
      log,
      running,
    }: {
      readonly version: string;
      readonly data: MemberData | undefined;
      /** Of a snapshot that the member starts with. */
      readonly log: readonly Write[] | undefined;
      readonly running: ClusterState["processes"];
    },
  ): MemberData {
    if (flags.isForced) {
      if (data === undefined) throw new Error("cannot force a new cluster without data");
      return SimulatedRaft.force(data);
    }
    if (data !== undefined) {
      const why = data.raft.whyNotRunnable(data, version);
      if (why !== undefined) throw new Error(why);
      return data;
    }
    if (flags.state === "new") {
      if (flags.initialCluster.size !== 1 || flags.initialCluster.get(flags.name) !== flags.peerURL)
        throw new Error("--initial-cluster must have this member, and no other");
      return new SimulatedRaft(flags.token, log).bootstrap(flags.name, flags.peerURL);
    }
    const peers = [...flags.initialCluster.values()];
    const peer = [...running.values()].find((one) => peers.includes(one.flags.peerURL) && one.data.raft.hasQuorum);
    if (peer === undefined) throw new Error("could not get cluster response from any member of --initial-cluster");
    const joined = peer.data.raft.join(flags.peerURL, peers);
    const why = peer.data.raft.whyNotRunnable(joined, version);
    if (why !== undefined) throw new Error(why);
    return joined;
  }

  #tick(processes: ClusterState["processes"]): void {
    const all = [...processes.values()];
    for (const raft of new Set(all.map(({ data }) => data.raft)))
      raft.tick(
        all.filter(({ data }) => data.raft === raft),
        this.#now(),
      );
  }

  #checkSplit(processes: ClusterState["processes"]): void {
    const serving = new Map<string, SimulatedRaft>();
    for (const { data, pod } of processes.values()) {
      if (!data.raft.hasQuorum) continue;
      const cluster = pod.metadata.labels?.["etcd_cluster"] ?? "";
      const other = serving.get(cluster);
      if (other !== undefined && other !== data.raft) this.#violations.push(`${cluster}: two clusters accept writes`);
      serving.set(cluster, data.raft);
    }
  }
}

/** The cluster that a URL names, and its member: none in the URL of the Service for clients. */
function placeOf(url: string): Place & { readonly member?: string } {
  const parts = new URL(url).hostname.split(".");
  const svc = parts.indexOf("svc");
  const [first = "", second = "default", third] = svc === -1 ? parts : parts.slice(0, svc);
  if (third === undefined) return { cluster: first.replace(/-client$/, ""), namespace: second };
  return { member: first, cluster: second, namespace: third };
}

function isRunning({ metadata, status }: ReadPod): boolean {
  return (
    status?.phase === "Running" &&
    metadata.deletionTimestamp === undefined &&
    status.containerStatuses?.some(({ name, state }) => name === "etcd" && state?.running !== undefined) === true
  );
}

function containerOf({ status }: ReadPod): string {
  return status?.containerStatuses?.find(({ name }) => name === "etcd")?.containerID ?? "";
}

function startedMs({ status }: ReadPod): number {
  const etcd = status?.containerStatuses?.find(({ name }) => name === "etcd");
  return Date.parse(etcd?.state?.running?.startedAt ?? "");
}

function claimOf({ spec }: ReadPod): string | undefined {
  return spec?.volumes?.find(({ name }) => name === "etcd-data")?.persistentVolumeClaim?.claimName;
}

/** The command that fetches the snapshot which a member starts with; undefined if it starts empty. */
function fetchCommandOf({ spec }: ReadPod): FetchCommand | undefined {
  const container = spec?.initContainers?.find(({ name }) => name === "fetch-snapshot");
  if (container === undefined) return undefined;
  const token = container.env?.find(({ name }) => name === "SNAPSHOT_TOKEN")?.value;
  return { from: container.command?.[2] ?? "", token: token ?? "" };
}

function commandOf({ spec }: ReadPod): readonly string[] {
  return spec?.containers.find(({ name }) => name === "etcd")?.command ?? [];
}

/** The version of the running container, by the tag of its image. */
function versionOf({ status }: ReadPod): string {
  const image = status?.containerStatuses?.find(({ name }) => name === "etcd")?.image ?? "";
  const tag = image.slice(image.lastIndexOf(":") + 1).replace(/^v/, "");
  return compareVersions(tag, oldestVersion) < 0 ? oldestVersion : tag;
}

async function endPod(client: SimulatedNodes["client"], { metadata, status }: ReadPod, why: string): Promise<void> {
  const { namespace = "default", name } = metadata;
  const containerStatuses = status?.containerStatuses?.map((one) => ({
    ...one,
    ready: false,
    started: false,
    state: { terminated: { exitCode: 1, reason: "Error", message: why, containerID: one.containerID } },
  }));
  const conditions = status?.conditions?.map((one) =>
    one.type === "Ready" ? { ...one, status: "False" as const } : one,
  );
  const ended = { phase: "Failed" as const, message: why, containerStatuses, conditions };
  await client
    .patchStatus(Pod, { namespace, name }, { merge: { status: structuredClone(ended) } } as never)
    .catch(() => {});
}
