import type { Leadership } from "./leadership.js";

/** One process that wants to lead, however its lease is renewed. */
export interface Election {
  readonly identity: string;
  readonly leadership: Leadership;
  /** Begins to want the lease. */
  start(): void;
  /** Gives the lease back, when it is held; for when all work has ended. Resolves when nothing of it runs. Never rejects. */
  release(): Promise<void>;
  /** Stops at once; a lease that is held expires by itself. Resolves when nothing of it runs. Never rejects. */
  abandon(): Promise<void>;
}
