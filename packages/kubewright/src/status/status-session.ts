import type { Clock } from "@kubewright/core/clock";
import { isConflict, isNotFound } from "@kubewright/core/errors";
import { formatKey, keyOf } from "@kubewright/core/identity";
import {
  cloneJson,
  copyFields,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  normaliseJson,
} from "@kubewright/core/json";
import { type Condition, findCondition, removeCondition, setCondition } from "@kubewright/core/meta";
import { applyMergePatch, diffMergePatch } from "@kubewright/core/patch";
import type { CachedClient } from "../cache/index.js";
import { objectMeta, type StageListener } from "../client/index.js";
import { type AnyKind, isResource, type ReadOf, type VersionOptions } from "../definition/index.js";
import type { OwnWrites } from "../route/index.js";
import { type ConditionInput, type ConditionSetter, mergeConditions } from "./conditions.js";
import type { DroppedFields } from "./dropped-fields.js";

/** The object whose status is written, and how. */
export interface StatusSessionOptions {
  readonly kind: AnyKind;
  readonly object: ReadOf<AnyKind>;
  readonly client: CachedClient;
  readonly clock: Clock;
  readonly fieldManager: string;
  /** The run that writes, for listeners of stages. */
  readonly run: { readonly reconcileId: string };
  readonly onStage?: StageListener | undefined;
  /** Tracks the writes, so that they trigger no run. */
  readonly ownWrites: OwnWrites;
  /** Whether another controller of the operator reconciles the same kind. @default never */
  readonly sharesKind?: () => boolean;
  /** What the server drops of a status of this kind. Only for kinds that a CRD defines: built-in kinds omit empty fields. @default nothing */
  readonly dropped?: DroppedFields;
  /** Called with the paths of fields that the server dropped for the first time. */
  readonly onDropped?: (paths: readonly string[]) => void;
  /** Called after each write that changed something, with the status before, and after without what the server dropped. */
  readonly onWrite?: (before: JsonObject, after: JsonObject) => void;
}

const noTypes: ReadonlySet<string> = new Set();
/** Attempts on a conflict before the next run takes over. */
const maxAttempts = 5;

/**
 * The status draft of one object during one run, and its write.
 *
 * Written by a merge patch of the status subresource. Not by server-side apply: a run starts from the whole status and changes some fields; applying
 * the whole would take over fields of other managers, applying only the changes would remove our other fields. A merge patch carries exactly the
 * changes. Lists are replaced as a whole, so a patch with a list has a resourceVersion precondition; on a conflict the changes, and each condition by
 * its type, are made again on the newest version: no condition is lost.
 *
 * `observedGeneration` of the status moves only with a run that completed. Where several controllers reconcile one kind, it does not pass a condition
 * that this run did not set: the controller that sets it has not completed a run of that generation.
 */
export class StatusSession {
  /** Whether the kind has a status by its definition; true for kinds that are defined elsewhere. */
  readonly available: boolean;
  /** Whether the framework keeps the conditions of kstatus. */
  readonly keepsKstatus: boolean;
  /** What the run changes. */
  readonly draft: Record<string, unknown>;
  readonly conditions: ConditionSetter<Record<string, string>>;
  readonly #options: StatusSessionOptions;
  readonly #declaresConditions: boolean;
  /** The types of conditions that the run has set. Created on first use. */
  #set: Set<string> | undefined;
  /** The status that the draft started from, or was last saved as. */
  #base: JsonObject;

  constructor(options: StatusSessionOptions) {
    this.#options = options;
    this.#base = statusOf(options.object);
    this.draft = cloneJson(this.#base) as Record<string, unknown>;
    const version = definedVersion(options.kind);
    this.available = version === undefined || version.status !== undefined || version.conditions !== undefined;
    this.#declaresConditions = version?.conditions !== undefined;
    this.keepsKstatus = version?.kstatus === true;
    this.conditions = {
      set: (type, input) => this.#setCondition(type, input),
      get: (type) => findCondition(conditionsOf(this.draft), type),
      remove: (type) => this.#removeCondition(type),
    };
  }

  /** Whether the run has set a condition. */
  hasSet(type: string): boolean {
    return this.#set?.has(type) === true;
  }

  /**
   * Writes what changed; sends nothing when nothing did. Skips an object that was deleted or recreated.
   *
   * @param completed whether the run returned: the object's generation then counts as observed
   */
  async save({ completed, signal }: { readonly completed: boolean; readonly signal: AbortSignal }): Promise<void> {
    const { kind, object, client } = this.#options;
    const key = keyOf({ metadata: objectMeta(object) });
    const drafted = normaliseJson(this.draft) as JsonObject;
    let current: ReadOf<AnyKind> | undefined = (await client.read(kind, key)) ?? object;
    for (let attempt = 1; current !== undefined && objectMeta(current).uid === objectMeta(object).uid; attempt++) {
      const target = this.#kept(this.#rebase(drafted, statusOf(current), completed), current);
      const patch = diffMergePatch(statusOf(current), target);
      if (patch === undefined) return this.#saved(drafted);
      try {
        const written = await this.#write(current, patch, signal);
        const dropped = this.#options.dropped?.note({ status: patch }, { status: statusOf(written) }) ?? [];
        if (dropped.length > 0) this.#options.onDropped?.(dropped);
        this.#options.onWrite?.(statusOf(current), this.#kept(target, written));
        return this.#saved(drafted);
      } catch (error) {
        // A 404 without a name is about the path: the kind has no status subresource, which must be reported.
        if (isNotFound(error) && (error.status.details?.name ?? "") !== "") return;
        if (!isConflict(error) || attempt >= maxAttempts) throw error;
        current = await client.live.find(kind, key, { signal });
      }
    }
  }

  /** A status without the fields that the server drops. */
  #kept(status: JsonObject, live: ReadOf<AnyKind>): JsonObject {
    const { dropped } = this.#options;
    return dropped === undefined ? status : statusOf(dropped.without({ status }, { status: statusOf(live) }));
  }

  async #write(current: ReadOf<AnyKind>, patch: JsonValue, signal: AbortSignal): Promise<ReadOf<AnyKind>> {
    const { kind, client, fieldManager, onStage, run, ownWrites } = this.#options;
    const metadata = objectMeta(current);
    const { uid, resourceVersion } = metadata;
    const lock = hasList(patch) ? { uid, resourceVersion } : { uid };
    const key = keyOf({ metadata });
    onStage?.("status", {
      kind: kind.id,
      key: formatKey(key),
      what: "patch",
      reconcileId: run.reconcileId,
    });
    const merge = { metadata: lock, status: patch };
    return ownWrites.track(formatKey(key), current, () =>
      client.patchStatus(kind, key, { merge }, { fieldManager, signal }),
    );
  }

  /** The draft's changes, made on a status that may be newer than the one that the draft started from. */
  #rebase(drafted: JsonObject, current: JsonObject, completed: boolean): JsonObject {
    const result = current === this.#base ? copyFields(drafted) : this.#merge(drafted, current);
    const { generation } = objectMeta(this.#options.object);
    if (generation !== undefined && completed && this.#declaresConditions && !this.#isBehind(result, generation))
      result["observedGeneration"] = generation;
    return result;
  }

  /** The status was written since the draft started: by `saveStatus`, or by another client. */
  #merge(drafted: JsonObject, current: JsonObject): Record<string, JsonValue> {
    const changes = diffMergePatch(this.#base, drafted);
    const merged = changes === undefined ? current : applyMergePatch(current, changes);
    const result = isJsonObject(merged) ? copyFields(merged) : {};
    if (!this.#declaresConditions && this.#set === undefined) return result;
    const conditions = mergeConditions(conditionsOf(current), {
      base: conditionsOf(this.#base),
      drafted: conditionsOf(drafted),
      set: this.#set ?? noTypes,
    });
    if (conditions.length > 0 || Object.hasOwn(result, "conditions")) result["conditions"] = toJson(conditions);
    return result;
  }

  /** Whether another controller of this kind has a condition of an older generation. */
  #isBehind(status: JsonObject, generation: number): boolean {
    const isOlder = ({ type, observedGeneration = generation }: Condition): boolean =>
      observedGeneration < generation && this.#set?.has(type) !== true;
    return conditionsOf(status).some(isOlder) && this.#options.sharesKind?.() === true;
  }

  #setCondition(type: string, { status, reason, message = "" }: ConditionInput<string>): void {
    const { clock, object } = this.#options;
    const { generation } = objectMeta(object);
    this.#set ??= new Set();
    this.#set.add(type);
    const text = status === "Unknown" ? status : status ? "True" : "False";
    const context = { now: clock.now(), ...(generation !== undefined && { observedGeneration: generation }) };
    this.draft["conditions"] = setCondition(conditionsOf(this.draft), { type, status: text, reason, message }, context);
  }

  #removeCondition(type: string): void {
    const conditions = conditionsOf(this.draft);
    if (findCondition(conditions, type) !== undefined) this.draft["conditions"] = removeCondition(conditions, type);
  }

  #saved(drafted: JsonObject): void {
    this.#base = drafted;
  }
}

function statusOf(object: object): JsonObject {
  const { status } = object as { readonly status?: unknown };
  return isJsonObject(status) ? status : {};
}

function conditionsOf({ conditions }: { readonly conditions?: unknown }): readonly Condition[] {
  return Array.isArray(conditions) ? (conditions as unknown as readonly Condition[]) : [];
}

function toJson(conditions: readonly Condition[]): JsonValue {
  return conditions as unknown as JsonValue;
}

/** What the definition says about the kind's version; undefined for kinds that are not defined by `defineResource`. */
function definedVersion(kind: AnyKind): VersionOptions | undefined {
  return isResource(kind) ? kind.definition.versions[kind.version] : undefined;
}

function hasList(value: JsonValue): boolean {
  if (Array.isArray(value)) return true;
  return isJsonObject(value) && Object.values(value).some(hasList);
}
