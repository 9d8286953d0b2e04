import { formatKey, keyOf, type ObjectMeta } from "@kubewright/core/identity";
import { objectMeta } from "../client/index.js";
import type { AnyKind } from "../definition/index.js";

/**
 * The writes of the last run of a request and of the one in flight to kinds whose reads are tracked, so that their watch events (echoes) are
 * recognised: by the object and the resourceVersion that the write created. A watch event can be faster than the response of the write, so that
 * changes wait for writes in flight.
 */
export class RunWrites {
  /** The resourceVersion that the last write of each object created. */
  #created = new Map<string, string>();
  /** Those of the run before. */
  #before = new Map<string, string>();
  #inFlight = 0;
  #held: (() => void)[] = [];

  /** Sends a write. Its response is the written object, or nothing. */
  async track<T>(kind: AnyKind, send: () => Promise<T>): Promise<T> {
    this.#inFlight += 1;
    try {
      const response = await send();
      if (typeof response === "object" && response !== null) {
        const metadata = objectMeta(response);
        this.#created.set(idOf(kind, metadata), metadata.resourceVersion ?? "");
      }
      return response;
    } finally {
      this.#inFlight -= 1;
      if (this.#inFlight === 0) for (const release of this.#held.splice(0)) release();
    }
  }

  /** Calls `decide` with whether a change to this state of an object is an echo: now, or when no write is in flight. */
  classify(kind: AnyKind, metadata: ObjectMeta, decide: (isEcho: boolean) => void): void {
    const object = idOf(kind, metadata);
    const { resourceVersion: version } = metadata;
    const release = (): void => decide(this.#created.get(object) === version || this.#before.get(object) === version);
    if (this.#inFlight > 0) this.#held.push(release);
    else release();
  }

  /** The run has ended. Returns whether it wrote anything. */
  runEnded(): boolean {
    const wrote = this.#created.size > 0;
    this.#before = this.#created;
    this.#created = new Map();
    return wrote;
  }
}

function idOf(kind: AnyKind, metadata: ObjectMeta): string {
  return `${kind.id} ${formatKey(keyOf({ metadata }))}`;
}
