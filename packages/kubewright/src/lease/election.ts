import type { Leadership } from "./leadership.js";

/** One process that takes part in a leader election. */
export interface Election {
  readonly identity: string;
  readonly leadership: Leadership;
  /** Starts to acquire the lease. */
  start(): void;
  /** Releases the lease if it is held. Call it after all work has stopped. Resolves when the election has stopped. Never rejects. */
  release(): Promise<void>;
  /** Stops without a release; a held lease expires. Resolves when the election has stopped. Never rejects. */
  abandon(): Promise<void>;
}
