import type { Clock } from "@kubewright/core/clock";
import { formatKey } from "@kubewright/core/identity";
import type { Cause } from "../route/index.js";
import { RecentMap } from "../status/index.js";
import type { DisputedField } from "./disputed-fields.js";
import { mayEqual, type RememberedValue, remembered } from "./remembered-value.js";

/** A field whose value keeps changing back. */
export interface FieldConflict {
  /** Of the object, as `group/version/Kind`. */
  readonly kind: string;
  readonly key: string;
  readonly path: string;
  /** The field manager that reverts the field: the controller's own when it conflicts with itself, "unknown" when managedFields do not show it. */
  readonly manager: string;
  /** The controller conflicts with itself: its desired value flaps. */
  readonly self: boolean;
  readonly perMinute: number;
}

/** A write that changed something. */
export interface Correction {
  readonly kind: string;
  readonly key: string;
  readonly uid: string;
  readonly fields: readonly DisputedField[];
  /** The other field manager that wrote last, where that is known. */
  readonly suspect: string | undefined;
  /** The generation that was reconciled: a new one may change the desired value. */
  readonly generation: number | undefined;
  /** Why the run that wrote was made. */
  readonly causes: readonly Cause[];
}

/** Three corrections of another manager's value in ten minutes are a conflict; a flapping value of its own must be faster to count. */
const limits = { others: { times: 3, withinMs: 600_000 }, self: { times: 10, withinMs: 60_000 } };
/** Bounds on tracked objects, and fields of each; the least recently written are dropped. */
const maxObjects = 500;
const maxFields = 100;

interface Field {
  written: RememberedValue;
  generation: number | undefined;
  /** When each manager was corrected; undefined for never. */
  timesMs: Map<string, number[]> | undefined;
}

interface WrittenObject {
  readonly uid: string;
  /** By their paths. */
  readonly fields: Map<string, Field>;
  /** The paths of the last write. */
  last: readonly string[];
}

/**
 * Detects fields that keep changing back, from the writes that changed something: another field manager reverts them, or the controller's own
 * desired value flaps.
 *
 * Reports a conflict once per detection window. Costs nothing while nothing is written.
 */
export class FieldConflictDetector {
  readonly #clock: Clock;
  readonly #fieldManager: string;
  readonly #report: (conflict: FieldConflict) => void;
  readonly #objects = new RecentMap<WrittenObject>(maxObjects);

  constructor(options: {
    readonly clock: Clock;
    readonly fieldManager: string;
    readonly report: (conflict: FieldConflict) => void;
  }) {
    this.#clock = options.clock;
    this.#fieldManager = options.fieldManager;
    this.#report = options.report;
  }

  /** Takes a write that changed these fields. */
  corrected({ kind, key, uid, fields, suspect, generation, causes }: Correction): void {
    // Only a run caused by the controller's own last write is a loop; other changes and elapsed time are reasons to write.
    let echo: boolean | undefined;
    const isEcho = (): boolean => {
      echo ??= causes.length > 0 && causes.every((cause) => this.#isEcho(cause));
      return echo;
    };
    const object = this.#objectOf(`${kind} ${key}`, uid);
    for (const { path, before, after, managers } of fields) {
      let field = object.fields.get(path);
      const known = field !== undefined;
      const written = remembered(after);
      if (field === undefined) {
        field = { written, generation, timesMs: undefined };
        object.fields.set(path, field);
      }
      const foreign =
        managers[0] ??
        (known && !mayEqual(remembered(before ?? null), field.written) ? (suspect ?? "unknown") : undefined);
      // The first write of a field is no conflict, nor is one for a new generation.
      const counts = foreign !== undefined || (known && field.generation === generation && isEcho());
      field.written = written;
      field.generation = generation;
      if (counts) this.#count({ kind, key, path }, field, foreign);
    }
    object.last = fields.map(({ path }) => path);
  }

  #objectOf(id: string, uid: string): WrittenObject {
    const known = this.#objects.get(id);
    if (known !== undefined && known.uid === uid && known.fields.size <= maxFields) return known;
    const made: WrittenObject = { uid, fields: new Map(), last: known?.last ?? [] };
    this.#objects.set(id, made);
    return made;
  }

  /** Whether a cause is only the controller's own last write. */
  #isEcho(cause: Cause): boolean {
    if (!("change" in cause) || cause.change !== "updated") return false;
    const object = this.#objects.get(`${cause.kind} ${formatKey(cause)}`);
    if (object === undefined) return false;
    const written = new Set(object.last.map(withoutItems));
    return cause.changedPaths.every((path) => written.has(withoutItems(path)));
  }

  #count(where: Pick<FieldConflict, "kind" | "key" | "path">, field: Field, foreign: string | undefined): void {
    const manager = foreign ?? this.#fieldManager;
    const { times, withinMs } = foreign === undefined ? limits.self : limits.others;
    const nowMs = this.#clock.monotonic();
    field.timesMs ??= new Map();
    const recent = [...(field.timesMs.get(manager) ?? []).filter((atMs) => nowMs - atMs < withinMs), nowMs];
    field.timesMs.set(manager, recent.length < times ? recent : []);
    if (recent.length < times) return;
    const spanMs = Math.max(nowMs - (recent[0] ?? nowMs), 1);
    const perMinute = Math.round(((recent.length - 1) * 60_000 * 10) / spanMs) / 10;
    this.#report({ ...where, manager, self: foreign === undefined, perMinute });
  }
}

/** A path without which item of a list it leads through: causes count items, claims name them. */
function withoutItems(path: string): string {
  return path.replace(/\[(\d+|name="[^"]*")\]/g, "[]");
}
