import { OperatorError } from "@kubewright/core/errors";
import { formatKey, keyOf } from "@kubewright/core/identity";
import { nameOfKey, objectMeta } from "../client/index.js";
import type { Run } from "./run.js";

/**
 * Checks on the server that the owner of a run exists, at most once per run: the cache may be behind, while the watch is silent.
 *
 * Where it does not exist any more, or is terminating, the cache learns it, so that the next run does not start from the old state.
 */
export class LiveOwner {
  readonly #run: Run;
  #checked: Promise<void> | undefined;

  constructor(run: Run) {
    this.#run = run;
  }

  /** Throws OWNER_GONE unless the owner exists, with the uid of the run's object, and is not being deleted behind the run's back. */
  mustExist(): Promise<void> {
    this.#checked ??= this.#check();
    return this.#checked;
  }

  async #check(): Promise<void> {
    const { client, controller, informers } = this.#run.services;
    const { kind } = controller;
    const metadata = objectMeta(this.#run.object);
    const { uid = "" } = metadata;
    const key = keyOf({ metadata });
    const live = await client.live.find(kind, nameOfKey(key), { signal: this.#run.requestSignal });
    const found = live === undefined ? undefined : objectMeta(live);
    if (live === undefined || found?.uid !== uid) {
      informers.noteDelete(kind, key, uid);
      const now = found === undefined ? "" : `; one with uid ${found.uid} has its name`;
      throw this.#gone(`it no longer exists on the server${now}`);
    }
    if (found.deletionTimestamp === undefined || metadata.deletionTimestamp !== undefined) return;
    client.noteWrite(kind, live);
    throw this.#gone("it is being deleted");
  }

  #gone(why: string): OperatorError {
    const metadata = objectMeta(this.#run.object);
    const { kind } = this.#run.services.controller.kind;
    return new OperatorError(
      "OWNER_GONE",
      `Cannot create or adopt children of ${kind} "${formatKey(keyOf({ metadata }))}" (uid ${metadata.uid}): ${why}, and the cache is behind`,
    );
  }
}
