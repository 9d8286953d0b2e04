import { compareVersions, isOneMinorApart } from "../cluster/version.js";
import { type EtcdAlarm, EtcdError, type EtcdMember } from "../members/etcd-members.js";

/** How long all voters must have been connected before etcd accepts a new member. */
const connectedMs = 5_000;
/** How long a learner copies the data. */
const catchUpMs = 1_000;
const emptySize = 20_480;

/** The data directory of a member. It belongs to a volume, and outlives processes. */
export interface MemberData {
  readonly raft: SimulatedRaft;
  readonly memberId: string;
  /** How many entries of the log it has. */
  applied: number;
  /** The member list as it knows it. */
  list: readonly EtcdMember[];
  dbSize: number;
  dbSizeInUse: number;
}

/** A running member. */
export interface MemberProcess {
  readonly data: MemberData;
  readonly name: string;
  readonly version: string;
  readonly startedMs: number;
  readonly quota: number;
}

/** One revision of the key-value store. */
export interface Write {
  readonly key: string;
  readonly value: string;
}

/** The log, the member list and the rules of one simulated cluster. Nothing is replicated over a network: members that run have the log at once. */
export class SimulatedRaft {
  readonly id: string;
  readonly #log: Write[];
  #members: EtcdMember[] = [];
  #processes: readonly MemberProcess[] = [];
  #leaderId: string | undefined;
  #term = 1n;
  #nextId: bigint;
  #nowMs = 0;
  #compacted = 0n;
  readonly #alarms = new Map<string, EtcdAlarm>();
  /** The lowest version that all members have run: no member can run an older one. */
  clusterVersion: string | undefined;

  constructor(id: string, log: readonly Write[] = [], nextId = 1n) {
    this.id = id;
    this.#log = [...log];
    this.#nextId = nextId;
  }

  /** The first member of a cluster. */
  bootstrap(name: string, peerURL: string): MemberData {
    const member = this.#create(peerURL, false);
    this.#members = [{ ...member, name }];
    return this.#dataOf(member.id, this.#log.length);
  }

  /** A cluster of one member, with the log that this data has. */
  static force({ raft, applied, memberId, dbSize, dbSizeInUse }: MemberData): MemberData {
    const forced = new SimulatedRaft(raft.id, raft.#log.slice(0, applied), raft.#nextId);
    forced.#members = raft.#members.filter(({ id }) => id === memberId).map((one) => ({ ...one, isLearner: false }));
    forced.clusterVersion = raft.clusterVersion;
    return { ...forced.#dataOf(memberId, applied), dbSize, dbSizeInUse };
  }

  /** The data directory of a member that joins; throws if etcd would not start. */
  join(peerURL: string, initialCluster: readonly string[]): MemberData {
    const urls = this.#members.flatMap(({ peerURLs }) => peerURLs).toSorted();
    if (urls.join() !== initialCluster.toSorted().join())
      throw new Error(
        `error validating peerURLs: the members have ${urls.join()}, --initial-cluster has ${initialCluster.join()}`,
      );
    const member = this.#members.find(({ peerURLs }) => peerURLs.includes(peerURL));
    if (member === undefined) throw new Error(`${peerURL} is no peer URL of a member`);
    if (member.name !== "")
      throw new Error(`member ${member.id} has lost its data: a started member must not start without it`);
    return this.#dataOf(member.id, 0);
  }

  /** Why a member cannot run with this data; undefined if it can. */
  whyNotRunnable({ memberId }: MemberData, version: string): string | undefined {
    if (!this.#members.some(({ id }) => id === memberId))
      return "the member has been permanently removed from the cluster";
    const { clusterVersion } = this;
    if (clusterVersion === undefined) return undefined;
    if (minorOf(version) !== minorOf(clusterVersion) && compareVersions(version, clusterVersion) < 0)
      return `invalid downgrade: the cluster version is ${clusterVersion}, the server version is ${version}`;
    if (!isOneMinorApart(version, clusterVersion))
      return `incompatible with current running cluster: ${clusterVersion} and ${version}`;
    return undefined;
  }

  /** Takes over which members run now: they elect a leader, replicate, and publish their names. */
  tick(processes: readonly MemberProcess[], nowMs: number): void {
    this.#processes = processes.filter(({ data }) => this.#members.some(({ id }) => id === data.memberId));
    this.#nowMs = nowMs;
    if (!this.hasQuorum) {
      this.#leaderId = undefined;
      return;
    }
    const voters = this.#running().filter(({ data }) => !this.#entry(data.memberId)?.isLearner);
    if (!voters.some(({ data }) => data.memberId === this.#leaderId)) {
      // Only a voter with the complete log can win; the entries that none of them has were never committed by this quorum.
      const newest = voters.toSorted((a, b) => b.data.applied - a.data.applied)[0];
      this.#leaderId = newest?.data.memberId;
      this.#log.length = Math.max(newest?.data.applied ?? 0, 0);
      this.#term += 1n;
    }
    this.#members = this.#members.map((member) => {
      const running = this.#running().find(({ data }) => data.memberId === member.id);
      return running === undefined || member.name !== "" ? member : { ...member, name: running.name };
    });
    for (const { data, startedMs } of this.#running()) {
      if (this.#entry(data.memberId)?.isLearner === true && nowMs - startedMs < catchUpMs) continue;
      data.applied = this.#log.length;
      data.list = this.#members;
    }
    if (this.#running().length === this.#members.length) {
      const lowest = this.#running()
        .map(({ version }) => version)
        .toSorted(compareVersions)[0];
      if (
        this.clusterVersion === undefined ||
        (lowest !== undefined && compareVersions(lowest, this.clusterVersion) > 0)
      )
        this.clusterVersion = lowest;
    }
  }

  get hasQuorum(): boolean {
    const voters = this.#members.filter(({ isLearner }) => !isLearner);
    const running = voters.filter(({ id }) => this.#running().some(({ data }) => data.memberId === id));
    return running.length >= Math.floor(voters.length / 2) + 1;
  }

  get leaderId(): string | undefined {
    return this.#leaderId;
  }

  get term(): bigint {
    return this.#term;
  }

  get members(): readonly EtcdMember[] {
    return this.#members;
  }

  get alarms(): readonly EtcdAlarm[] {
    return [...this.#alarms.values()];
  }

  /** The writes that a member has. */
  logOf({ applied }: MemberData): readonly Write[] {
    return this.#log.slice(0, applied);
  }

  revisionAt(applied: number): bigint {
    return BigInt(applied + 1);
  }

  read(key: string): string | undefined {
    this.#requireQuorum();
    return this.#log.findLast((write) => write.key === key)?.value;
  }

  write(write: Write): bigint {
    this.#requireQuorum();
    for (const { data, quota } of this.#running())
      if (data.dbSize >= quota) this.raise({ memberId: data.memberId, alarm: "NOSPACE" });
    if (this.alarms.some(({ alarm }) => alarm === "NOSPACE"))
      throw new EtcdError("noSpace", "etcdserver: mvcc: database space exceeded");
    this.#log.push(write);
    this.#replicate();
    return this.revisionAt(this.#log.length);
  }

  raise(alarm: EtcdAlarm): void {
    this.#alarms.set(`${alarm.memberId} ${alarm.alarm}`, alarm);
  }

  disarm({ memberId, alarm }: EtcdAlarm): void {
    this.#requireQuorum();
    this.#alarms.delete(`${memberId} ${alarm}`);
  }

  compact(revision: bigint): void {
    this.#requireQuorum();
    if (revision > this.revisionAt(this.#log.length))
      throw new EtcdError("other", "etcdserver: mvcc: required revision is a future revision");
    if (revision <= this.#compacted) return;
    this.#compacted = revision;
    for (const { data } of this.#running()) data.dbSizeInUse = Math.min(data.dbSizeInUse, emptySize);
  }

  /** By a request to the member `self`, which knows since when it has been connected to the others. */
  addLearner(peerURL: string, self: string): EtcdMember {
    if (this.#members.some(({ peerURLs }) => peerURLs.includes(peerURL)))
      throw new EtcdError("memberExists", "etcdserver: Peer URLs already exists");
    if (this.#connectedVoters(self) < this.#voters().length)
      throw new EtcdError("unhealthy", "etcdserver: unhealthy cluster");
    if (this.#members.some(({ isLearner }) => isLearner))
      throw new EtcdError("tooManyLearners", "etcdserver: too many learner members in cluster");
    this.#requireQuorum();
    const member = this.#create(peerURL, true);
    this.#members = [...this.#members, member];
    this.#replicate();
    return member;
  }

  promote(memberId: string): void {
    this.#requireQuorum();
    const member = this.#required(memberId);
    if (!member.isLearner) throw new EtcdError("notLearner", "etcdserver: can only promote a learner member");
    const process = this.#running().find(({ data }) => data.memberId === memberId);
    if (process === undefined || this.#nowMs - process.startedMs < catchUpMs)
      throw new EtcdError(
        "learnerNotReady",
        "etcdserver: can only promote a learner member which is in sync with leader",
      );
    const started = this.#voters().filter(({ name }) => name !== "").length + 1;
    if (started < Math.floor((this.#voters().length + 1) / 2) + 1)
      throw new EtcdError("notEnoughStarted", "etcdserver: re-configuration failed due to not enough started members");
    this.#members = this.#members.map((one) => (one.id === memberId ? { ...one, isLearner: false } : one));
    this.#replicate();
  }

  remove(memberId: string, self: string): void {
    const member = this.#required(memberId);
    if (!member.isLearner) {
      const rest = this.#voters().filter(({ id }) => id !== memberId);
      const started = rest.filter(({ name }) => name !== "").length;
      if (rest.length === 0 || started < Math.floor(rest.length / 2) + 1)
        throw new EtcdError(
          "notEnoughStarted",
          "etcdserver: re-configuration failed due to not enough started members",
        );
      const isRunning = this.#running().some(({ data }) => data.memberId === memberId);
      if (isRunning && this.#connectedVoters(self) - 1 < 1 + Math.floor((this.#voters().length - 1) / 2))
        throw new EtcdError("unhealthy", "etcdserver: unhealthy cluster");
    }
    this.#requireQuorum();
    this.#members = this.#members.filter(({ id }) => id !== memberId);
    for (const alarm of this.alarms) if (alarm.memberId === memberId) this.#alarms.delete(`${memberId} ${alarm.alarm}`);
    if (this.#leaderId === memberId) this.#leaderId = undefined;
    this.tick(this.#processes, this.#nowMs);
  }

  moveLeader(from: string, to: string): void {
    this.#requireQuorum();
    if (from !== this.#leaderId) throw new EtcdError("other", "etcdserver: not leader");
    const isVoter = this.#voters().some(({ id }) => id === to);
    if (!isVoter || !this.#running().some(({ data }) => data.memberId === to))
      throw new EtcdError("other", "etcdserver: bad leader transferee");
    this.#leaderId = to;
    this.#term += 1n;
  }

  #replicate(): void {
    this.tick(this.#processes, this.#nowMs);
  }

  #running(): readonly MemberProcess[] {
    return this.#processes;
  }

  #voters(): readonly EtcdMember[] {
    return this.#members.filter(({ isLearner }) => !isLearner);
  }

  /** How many voters the member `self` has been connected to for long enough; to itself it is. */
  #connectedVoters(self: string): number {
    const startOf = (id: string): number =>
      this.#running().find(({ data }) => data.memberId === id)?.startedMs ?? Number.POSITIVE_INFINITY;
    return this.#voters().filter(
      ({ id }) => id === self || this.#nowMs - Math.max(startOf(id), startOf(self)) >= connectedMs,
    ).length;
  }

  #entry(memberId: string): EtcdMember | undefined {
    return this.#members.find(({ id }) => id === memberId);
  }

  #required(memberId: string): EtcdMember {
    const member = this.#entry(memberId);
    if (member === undefined) throw new EtcdError("memberNotFound", "etcdserver: member not found");
    return member;
  }

  #requireQuorum(): void {
    if (!this.hasQuorum) throw new EtcdError("unavailable", "etcdserver: request timed out");
  }

  #create(peerURL: string, isLearner: boolean): EtcdMember {
    const id = (BigInt.asUintN(64, this.#nextId * 0x9e3779b97f4a7c15n) + 1n).toString();
    this.#nextId += 1n;
    const clientURL = peerURL.replace(/:2380$/, ":2379");
    return { id, name: "", peerURLs: [peerURL], clientURLs: [clientURL], isLearner };
  }

  #dataOf(memberId: string, applied: number): MemberData {
    return { raft: this, memberId, applied, list: this.#members, dbSize: emptySize, dbSizeInUse: emptySize };
  }
}

function minorOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}
