import type { Clock } from "@kubewright/core/clock";
import { isConflict, isNotFound } from "@kubewright/core/errors";
import { formatKey, keyOf } from "@kubewright/core/identity";
import { cloneJson, isJsonObject, type JsonObject, type JsonValue, normaliseJson } from "@kubewright/core/json";
import type { Condition } from "@kubewright/core/meta";
import { applyMergePatch, diffMergePatch } from "@kubewright/core/patch";
import type { CachedClient } from "../cache/index.js";
import { objectMeta, type Trace } from "../client/index.js";
import { type AnyKind, isResource, type ReadOf, type VersionOptions } from "../definition/index.js";
import { ConditionChanges, type ConditionInput, type ConditionSetter } from "./conditions.js";

/** The object whose status is written, and how. */
export interface StatusSessionOptions {
  readonly kind: AnyKind;
  readonly object: ReadOf<AnyKind>;
  readonly client: CachedClient;
  readonly clock: Clock;
  readonly fieldManager: string;
  /** The run, for traces. */
  readonly environment: { readonly reconcileId: string };
  readonly trace?: Trace | undefined;
  /** Called after each write that changed something, with the status before and after. */
  readonly onWrite?: (before: JsonObject, after: JsonObject) => void;
}

/** Attempts on a conflict before the next run takes over. */
const maxAttempts = 5;

/**
 * The status draft of one object during one run, and its write.
 *
 * Written by a merge patch of the status subresource. Not by server-side apply: a run starts from the whole status and changes some fields; applying
 * the whole would take over fields of other managers, applying only the changes would remove our other fields. A merge patch carries exactly the
 * changes. Lists are replaced as a whole, so a patch with a list has a resourceVersion precondition; on a conflict the changes, and each condition by
 * its type, are made again on the newest version: no condition is lost.
 */
export class StatusSession {
  /** Whether the kind has a status by its definition; true for kinds that are defined elsewhere. */
  readonly available: boolean;
  /** What the run changes. */
  readonly draft: Record<string, unknown>;
  readonly conditions: ConditionSetter<Record<string, string>>;
  readonly #options: StatusSessionOptions;
  readonly #changes: ConditionChanges;
  readonly #declaresConditions: boolean;
  /** The status that the draft started from, or was last saved as. */
  #base: JsonObject;

  constructor(options: StatusSessionOptions) {
    this.#options = options;
    this.#base = statusOf(options.object);
    this.draft = cloneJson(this.#base) as Record<string, unknown>;
    this.#changes = new ConditionChanges(options.clock.now(), objectMeta(options.object).generation);
    const version = definedVersion(options.kind);
    this.available = version === undefined || version.status !== undefined || version.conditions !== undefined;
    this.#declaresConditions = version?.conditions !== undefined;
    this.conditions = { set: (type, input) => this.#setCondition(type, input) };
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
      const target = this.#rebase(drafted, statusOf(current), completed);
      const patch = diffMergePatch(statusOf(current), target);
      if (patch === undefined) return this.#saved(drafted);
      try {
        await this.#write(current, patch, signal);
        this.#options.onWrite?.(statusOf(current), target);
        return this.#saved(drafted);
      } catch (error) {
        // A 404 without a name is about the path: the kind has no status subresource, which must be reported.
        if (isNotFound(error) && (error.status.details?.name ?? "") !== "") return;
        if (!isConflict(error) || attempt >= maxAttempts) throw error;
        current = await client.live.find(kind, key, { signal });
      }
    }
  }

  async #write(current: ReadOf<AnyKind>, patch: JsonValue, signal: AbortSignal): Promise<void> {
    const { kind, client, fieldManager, trace, environment } = this.#options;
    const metadata = objectMeta(current);
    const { uid, resourceVersion } = metadata;
    const lock = hasList(patch) ? { uid, resourceVersion } : { uid };
    const key = keyOf({ metadata });
    trace?.("status", {
      kind: kind.id,
      key: formatKey(key),
      what: "patch",
      reconcileId: environment.reconcileId,
    });
    await client.patchStatus(kind, key, { merge: { metadata: lock, status: patch } }, { fieldManager, signal });
  }

  /** The draft's changes, made on a status that may be newer than the one that the draft started from. */
  #rebase(drafted: JsonObject, current: JsonObject, completed: boolean): JsonObject {
    // The common case: no other write since, so the draft is the new status.
    const changes = current === this.#base ? undefined : diffMergePatch(this.#base, drafted);
    const unchanged = current === this.#base ? drafted : current;
    const merged = changes === undefined ? unchanged : applyMergePatch(current, changes);
    const result: Record<string, JsonValue> = { ...(isJsonObject(merged) ? merged : {}) };
    if (this.#changes.size > 0) result["conditions"] = toJson(this.#changes.applyTo(conditionsOf(current)));
    const { generation } = objectMeta(this.#options.object);
    if (generation !== undefined && (this.#changes.size > 0 || (completed && this.#declaresConditions))) {
      result["observedGeneration"] = generation;
    }
    return result;
  }

  #setCondition(type: string, input: ConditionInput<string>): void {
    this.#changes.set(type, input);
    this.draft["conditions"] = cloneJson(toJson(this.#changes.applyTo(conditionsOf(this.#base))));
  }

  #saved(drafted: JsonObject): void {
    this.#base = drafted;
  }
}

function statusOf(object: ReadOf<AnyKind>): JsonObject {
  const { status } = object as { readonly status?: unknown };
  return isJsonObject(status) ? status : {};
}

function conditionsOf(status: JsonObject): readonly Condition[] {
  const { conditions } = status;
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
