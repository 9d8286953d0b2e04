import type { Clock } from "@kubewright/core/clock";
import type { Logger } from "@kubewright/core/log";
import type { Client } from "../client/index.js";
import type { Election } from "./election.js";
import { Leadership } from "./leadership.js";
import { LocalHold } from "./lease-hold.js";
import { LeaseLoop } from "./lease-loop.js";
import type { LeaseSettings } from "./lease-options.js";

/** Options of {@link LocalElection}. */
export interface LocalElectionOptions {
  readonly settings: LeaseSettings;
  readonly client: Client;
  readonly clock: Clock;
  /** Between 0 and 1. */
  readonly random: () => number;
  readonly logger: Logger;
}

/** Acquires and renews the lease on this thread, by the given clock, so that it works in virtual time. */
export class LocalElection implements Election {
  readonly identity: string;
  readonly leadership: Leadership;
  readonly #loop: LeaseLoop;
  readonly #stop = new AbortController();
  #ended: Promise<void> = Promise.resolve();

  constructor({ settings, client, clock, random, logger }: LocalElectionOptions) {
    const { name, namespace, identity, timing } = settings;
    const hold = new LocalHold();
    this.identity = identity;
    this.leadership = new Leadership({ hold, clock, lease: `${namespace}/${name}` });
    this.#loop = new LeaseLoop({
      client,
      clock,
      random,
      name,
      namespace,
      identity,
      timing,
      hold,
      logger,
      onAcquired: () => this.leadership.markAcquired(),
      isAlive: () => true,
    });
  }

  start(): void {
    this.#ended = this.#loop.run(this.#stop.signal).then((end) => {
      if (end.kind === "lost") this.leadership.lose(end.why);
    });
  }

  async release(): Promise<void> {
    await this.abandon();
    if (!this.leadership.lost.aborted) await this.#loop.release();
  }

  async abandon(): Promise<void> {
    this.leadership.resign();
    this.#stop.abort(new Error("The election is stopping"));
    await this.#ended;
  }
}
