import { callSafely } from "@kubewright/core/log";
import type { Cause } from "../route/index.js";
import type { RecordedCause, RecordedOutcome, RecordedRun } from "./recorded-run.js";
import type { RunRecording } from "./run-recording.js";

/** How many runs of one object are kept. */
const maxRuns = 10;
/** How much all runs of the operator may take, as estimated. */
const maxBytes = 4 * 1024 * 1024;
const maxCauses = 8;
const maxErrorLength = 500;

/** A run that has ended. */
export interface EndedRun {
  readonly controller: string;
  readonly kind: string;
  readonly key: string;
  readonly verb: "reconcile" | "finalize";
  readonly reconcileId: string | undefined;
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly causes: readonly Cause[];
  readonly recording: RunRecording | undefined;
  readonly outcome: RecordedOutcome;
}

/** As it is kept: of one hidden class, because there are thousands. A {@link RecordedCause} is made when it is read. */
interface KeptCause {
  readonly source: string;
  readonly change: string | undefined;
  readonly initial: boolean;
  readonly kind: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly changedPaths: readonly string[] | undefined;
  readonly error: string | undefined;
}

/** As it is kept. A {@link RecordedRun} is made when it is read. */
interface KeptRun extends Omit<EndedRun, "controller" | "kind" | "key" | "causes"> {
  readonly causes: readonly KeptCause[];
  readonly isTruncated: boolean;
  readonly bytes: number;
}

const noChange = {
  change: undefined,
  initial: false,
  kind: undefined,
  namespace: undefined,
  name: undefined,
  changedPaths: undefined,
};

interface KeptObject {
  readonly controller: string;
  readonly kind: string;
  readonly key: string;
  /** How often it ran. */
  count: number;
  /** The oldest first. */
  readonly runs: KeptRun[];
  bytes: number;
}

/**
 * The last runs of each object, of all controllers of an operator: ten for each object, and 4 MiB together. Beyond that the objects whose last run is
 * the oldest are dropped.
 *
 * Keeps no reference to an object of the cluster. Values of Secrets never enter it.
 */
export class RunHistory {
  readonly #maxBytes: number;
  /** By controller and key; the one that ran last is the last. */
  readonly #objects = new Map<string, KeptObject>();
  readonly #onRun: ((run: RecordedRun) => void) | undefined;
  #bytes = 0;

  constructor(options: { readonly maxBytes?: number; readonly onRun?: ((run: RecordedRun) => void) | undefined } = {}) {
    this.#maxBytes = options.maxBytes ?? maxBytes;
    this.#onRun = options.onRun;
  }

  /** An estimate of what is kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a run. Never throws. */
  add(ended: EndedRun): void {
    const id = `${ended.controller} ${ended.key}`;
    const object = this.#objects.get(id) ?? newObject(ended);
    this.#objects.delete(id);
    this.#objects.set(id, object);
    const kept = keptRun(ended);
    object.count += 1;
    object.runs.push(kept);
    object.bytes += kept.bytes;
    this.#bytes += kept.bytes + (object.count === 1 ? objectBytes : 0);
    if (object.runs.length > maxRuns) this.#shorten(object);
    if (this.#bytes > this.#maxBytes) this.#evict(id);
    this.#report(object);
  }

  /** The runs of all objects that `matches` accepts, the oldest of each object first. */
  find(matches: (object: { readonly controller: string; readonly kind: string; readonly key: string }) => boolean) {
    const found: RecordedRun[] = [];
    for (const object of this.#objects.values()) if (matches(object)) found.push(...recordedRuns(object));
    return found;
  }

  /** The controller was removed. */
  forget(controller: string): void {
    for (const [id, object] of this.#objects) if (object.controller === controller) this.#drop(id, object);
  }

  #report(object: KeptObject): void {
    const run = this.#onRun && recordedRuns(object).at(-1);
    // The caller's own failure must not fail the run.
    if (run) callSafely(() => this.#onRun?.(run));
  }

  #shorten(object: KeptObject): void {
    const oldest = object.runs.shift();
    if (oldest === undefined) return;
    object.bytes -= oldest.bytes;
    this.#bytes -= oldest.bytes;
  }

  #evict(last: string): void {
    for (const [id, object] of this.#objects) {
      if (this.#bytes <= this.#maxBytes || id === last) return;
      this.#drop(id, object);
    }
  }

  #drop(id: string, { bytes }: KeptObject): void {
    this.#objects.delete(id);
    this.#bytes -= bytes + objectBytes;
  }
}

function newObject({ controller, kind, key }: EndedRun): KeptObject {
  return { controller, kind, key, count: 0, runs: [], bytes: 0 };
}

function keptRun(ended: EndedRun): KeptRun {
  const { verb, reconcileId, startedAtMs, durationMs, causes: all, recording, outcome } = ended;
  const causes = keptCauses(all);
  const isTruncated = all.length > maxCauses || recording?.isTruncated === true;
  const error = outcome.error?.slice(0, maxErrorLength);
  let bytes = runBytes + (error?.length ?? 0) + (reconcileId === undefined ? 0 : 48);
  for (const cause of causes) bytes += causeBytes + sizeOfCause(cause);
  if (recording !== undefined) bytes += recording.bytes;
  return {
    verb,
    reconcileId,
    startedAtMs,
    durationMs,
    causes,
    isTruncated,
    recording,
    outcome: error === undefined ? outcome : { ...outcome, error },
    bytes,
  };
}

function keptCauses(causes: readonly Cause[]): KeptCause[] {
  const kept: KeptCause[] = [];
  // A delayed key that a change made due still has the cause of its delay, which explains less: last.
  for (const isDelay of [false, true])
    for (const cause of causes) {
      if (kept.length < maxCauses && (cause.source === "requeue" || cause.source === "retry") === isDelay)
        kept.push(keptCause(cause));
    }
  return kept;
}

/** A cause without the object that it is about. */
function keptCause(cause: Cause): KeptCause {
  if ("change" in cause) {
    const { source, change, initial, kind, namespace, name } = cause;
    const changedPaths = change === "updated" ? pathsOf(cause) : undefined;
    return { source, change, initial, kind, namespace, name, changedPaths, error: undefined };
  }
  const error = "error" in cause ? cause.error.slice(0, maxErrorLength) : undefined;
  return { ...noChange, source: cause.source, error };
}

function pathsOf(cause: Extract<Cause, { readonly change: string }>): readonly string[] {
  try {
    return cause.changedPaths;
  } catch {
    // The server sent invalid JSON in a field that nothing has read so far.
    return [];
  }
}

function recordedRuns({ controller, kind, key, count, runs }: KeptObject): RecordedRun[] {
  return runs.map(({ verb, reconcileId, startedAtMs, durationMs, causes, isTruncated, recording, outcome }, index) => ({
    controller,
    kind,
    key,
    run: count - runs.length + index + 1,
    verb,
    ...(reconcileId !== undefined && { reconcileId }),
    startedAt: new Date(startedAtMs).toISOString(),
    durationMs,
    causes: causes.map(recordedCause),
    reads: recording?.reads ?? [],
    writes: recording?.writes ?? [],
    logs: recording?.logs ?? [],
    status: recording?.status ?? [],
    conditions: recording?.conditions ?? {},
    outcome,
    ...(isTruncated && { truncated: true as const }),
  }));
}

function recordedCause({
  source,
  change,
  initial,
  kind,
  namespace = "",
  name,
  changedPaths,
  error,
}: KeptCause): RecordedCause {
  return {
    source,
    ...(change !== undefined && { change }),
    ...(initial && { initial }),
    ...(kind !== undefined && { kind }),
    ...(namespace !== "" && { namespace }),
    ...(name !== undefined && { name }),
    ...(changedPaths !== undefined && { changedPaths }),
    ...(error !== undefined && { error }),
  };
}

/** Measured with Node 22: of an object's entry, of a run, and of a cause, without strings of their own. */
const objectBytes = 500;
const runBytes = 200;
const causeBytes = 120;

function sizeOfCause({ name = "", changedPaths = [], error = "" }: KeptCause): number {
  let bytes = name.length + error.length;
  for (const path of changedPaths) bytes += 24 + path.length;
  return bytes;
}
