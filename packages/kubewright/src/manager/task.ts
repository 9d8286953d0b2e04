import type { Clock } from "@kubewright/core/clock";
import type { Logger } from "@kubewright/core/log";
import type { Client } from "../client/index.js";
import type { PolicyRule } from "../permissions/index.js";

/** The argument of a task. */
export interface TaskContext {
  /** Aborts when the operator stops or has lost its lease. The task must return soon after. */
  readonly signal: AbortSignal;
  /** Sends requests; with leader election none after the lease was lost. What it needs is in `rules` of the task. */
  readonly client: Client;
  readonly log: Logger;
  readonly clock: Clock;
}

/**
 * Work that belongs to an operator and is not a controller, such as a server, a report once a day, or the import of data: runs from when the operator
 * reconciles until it stops.
 */
export interface Task {
  /** In logs and metrics. Lower case letters, digits and dashes. */
  readonly name: string;
  /**
   * Runs until it is done or `signal` aborts. A return ends the task. A throw is logged and counted, and the task restarts with exponential backoff, 1 s to
   * 5 min.
   */
  readonly run: (context: TaskContext) => void | Promise<void>;
  /** Runs in every replica, and its requests are not fenced. Without it, only while this process is the leader. @default false */
  readonly onEveryReplica?: boolean;
  /** What `client` needs; part of the operator's `rules()`. @default none */
  readonly rules?: readonly PolicyRule[];
}
