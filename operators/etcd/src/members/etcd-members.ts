/** Keys and certificates of a client, in PEM. */
export interface EtcdCredentials {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** Where one member serves clients. */
export interface EtcdEndpoint {
  /** Client URL, such as `http://shop-abc.shop.default.svc:2379`; its host is the name that a certificate is verified with. */
  readonly url: string;
  /** The IP address to connect to. Default: the host of the URL, resolved. */
  readonly address?: string;
}

/** A member, as the members know it. */
export interface EtcdMember {
  /** Identifier, as a decimal number: int64 does not fit into a number. */
  readonly id: string;
  /** Empty until the member has started. */
  readonly name: string;
  readonly peerURLs: readonly string[];
  readonly clientURLs: readonly string[];
  readonly isLearner: boolean;
}

/** The state of one member, as it reports it itself; also without a quorum. */
export interface EtcdMemberStatus {
  readonly memberId: string;
  readonly version: string;
  /** The revision of its key-value store. */
  readonly revision: bigint;
  /** The member that it takes for the leader; undefined without a quorum. */
  readonly leaderId: string | undefined;
  readonly raftTerm: bigint;
  /** The last committed entry of its log. */
  readonly raftIndex: bigint;
  readonly dbSize: number;
  readonly dbSizeInUse: number;
  readonly isLearner: boolean;
  readonly errors: readonly string[];
}

/** What the alarm of a member reports. */
export interface EtcdAlarm {
  readonly memberId: string;
  readonly alarm: "NOSPACE" | "CORRUPT";
}

/** Why a member rejected a call; `unavailable` also when it cannot be reached. */
export type EtcdErrorReason =
  | "unavailable"
  /** A quorum is missing, or a member was not connected for the last seconds. */
  | "unhealthy"
  | "notEnoughStarted"
  | "learnerNotReady"
  | "tooManyLearners"
  | "memberNotFound"
  | "memberExists"
  | "notLearner"
  | "compacted"
  | "noSpace"
  | "other";

/** A call that a member rejected, or that did not reach it. Test `reason`, not the message. */
export class EtcdError extends Error {
  override readonly name = "EtcdError";
  readonly reason: EtcdErrorReason;

  constructor(reason: EtcdErrorReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/**
 * The API of etcd, as far as the operator needs it: of real members over the JSON gateway, or of simulated ones.
 *
 * Every call rejects with an {@link EtcdError} when a member rejects it or cannot be reached, and with the reason of the signal when that aborts. A call
 * that was rejected as `unavailable` may have taken effect.
 */
export interface EtcdMembers {
  /** The members, by the endpoint's own knowledge; with `linearizable` by that of a quorum. */
  list(
    endpoint: EtcdConnection,
    options: CallOptions & { readonly linearizable: boolean },
  ): Promise<readonly EtcdMember[]>;
  addLearner(endpoint: EtcdConnection, peerURL: string, options: CallOptions): Promise<EtcdMember>;
  promote(endpoint: EtcdConnection, memberId: string, options: CallOptions): Promise<void>;
  remove(endpoint: EtcdConnection, memberId: string, options: CallOptions): Promise<void>;
  status(endpoint: EtcdConnection, options: CallOptions): Promise<EtcdMemberStatus>;
  /** Sent to the leader. */
  moveLeader(endpoint: EtcdConnection, toMemberId: string, options: CallOptions): Promise<void>;
  alarms(endpoint: EtcdConnection, options: CallOptions): Promise<readonly EtcdAlarm[]>;
  disarm(endpoint: EtcdConnection, alarm: EtcdAlarm, options: CallOptions): Promise<void>;
  defragment(endpoint: EtcdConnection, options: CallOptions): Promise<void>;
  /** Removes the history before a revision. A revision that was compacted already is no error. */
  compact(endpoint: EtcdConnection, revision: bigint, options: CallOptions): Promise<void>;
  /** The bytes of a snapshot file: the database, followed by its SHA-256. */
  snapshot(endpoint: EtcdConnection, options: CallOptions): AsyncIterable<Uint8Array>;
  put(endpoint: EtcdConnection, key: string, value: string, options: CallOptions): Promise<bigint>;
  get(endpoint: EtcdConnection, key: string, options: CallOptions): Promise<string | undefined>;
}

/** An endpoint and how to authenticate there. */
export interface EtcdConnection extends EtcdEndpoint {
  readonly credentials?: EtcdCredentials;
}

export interface CallOptions {
  readonly signal: AbortSignal;
}
