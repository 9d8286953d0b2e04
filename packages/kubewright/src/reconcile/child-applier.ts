import { isConflict, isInvalid, isNotFound } from "@kubewright/core/errors";
import { formatKey, type ObjectKey } from "@kubewright/core/identity";
import type { JsonObject } from "@kubewright/core/json";
import { nameOfKey, objectMeta } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import type { AdoptOption } from "./child-control.js";
import { childId, childKindOf } from "./child-kinds.js";
import type { ChildOwnership } from "./child-ownership.js";
import { disputedFields, lastOtherManager } from "./disputed-fields.js";
import { immutableFields, type OnImmutable } from "./immutable-change.js";
import { isApplied } from "./is-applied.js";
import type { Run } from "./run.js";
import { takeOverFields } from "./take-over-fields.js";
import { waitInCache } from "./wait-in-cache.js";

/** A child to apply. */
export interface DesiredChild<C extends AnyKind> {
  readonly kind: C;
  readonly key: ObjectKey;
  readonly object: JsonObject;
  readonly adopt: AdoptOption;
  /** Undefined: a change of an immutable field is an error. */
  readonly onImmutable: OnImmutable | undefined;
}

/** How long a run waits for the deletion of a child that it creates again; then it fails, and the deletion starts the next run. */
const deletionTimeout = "10s";

/** No object has this resourceVersion: it is etcd's first revision, before any write. An apply with it creates an object, and conflicts with any. */
const absentVersion = "1";

/**
 * Applies children of one owner.
 *
 * Guarantees: an apply that would change nothing is not sent; each one that is sent carries a precondition, so that it writes the object that was
 * checked, or creates one, and never takes over another. A child that the cache does not have costs one request.
 */
export class ChildApplier {
  readonly #run: Run;
  readonly #ownership: ChildOwnership;

  constructor(run: Run, ownership: ChildOwnership) {
    this.#run = run;
    this.#ownership = ownership;
  }

  /** Throws NOT_CONTROLLED, OWNER_GONE or CHILD_DELETED where the child must not be written. */
  async apply<C extends AnyKind>(desired: DesiredChild<C>): Promise<ReadOf<C>> {
    const { kind, key } = desired;
    const cached = await this.#run.services.childClient.find(kind, nameOfKey(key));
    if (cached === undefined) return this.#applyNew(desired);
    try {
      return await this.#applyTo(cached, desired);
    } catch (error) {
      if (!isAboutOtherObject(error)) throw error;
      return this.#applyAfterConflict(desired, objectMeta(cached).uid, error);
    }
  }

  /** Applies a child that the cache does not have. Another client may have created it a moment ago. */
  async #applyNew<C extends AnyKind>(desired: DesiredChild<C>): Promise<ReadOf<C>> {
    await this.#ownership.mayCreateAgain(desired.kind, desired.key);
    try {
      return await this.#createByApply(desired);
    } catch (error) {
      if (!isConflict(error)) throw error;
      return this.#applyAfterConflict(desired, undefined, error);
    }
  }

  /** The cache is behind: reads the object from the server. `uid` is the one that the conflicting apply had. */
  async #applyAfterConflict<C extends AnyKind>(
    desired: DesiredChild<C>,
    uid: string | undefined,
    conflict: unknown,
  ): Promise<ReadOf<C>> {
    const { kind, key } = desired;
    const { childClient: client } = this.#run.services;
    const live = await client.live.find(kind, nameOfKey(key), { signal: this.#run.requestSignal });
    if (live !== undefined && objectMeta(live).uid === uid) throw conflict;
    if (live !== undefined) return this.#applyTo(live, desired);
    await this.#ownership.mustExist();
    return this.#createByApply(desired);
  }

  async #applyTo<C extends AnyKind>(existing: ReadOf<C>, desired: DesiredChild<C>): Promise<ReadOf<C>> {
    const { controller, appliedChildren } = this.#run.services;
    const { kind, key, object } = desired;
    const { fieldManager, formerNames } = controller;
    const control = await this.#ownership.mustControl("apply", kind, existing, desired.adopt);
    // The apply replaces no controller reference that another field manager wrote.
    const isPatched = control === "former" && !this.#ownership.isManaged(kind);
    const controlled = isPatched ? await this.#ownership.makeChild(kind, existing) : existing;
    const isTakenOver = formerNames.length > 0 && (await takeOverFields(this.#run, kind, controlled));
    const live = controlled as unknown as JsonObject;
    if (
      !isTakenOver &&
      (isApplied(live, object, fieldManager) || appliedChildren.has(childId(kind, key), live, object))
    )
      return controlled;
    // By uid, so that neither a new object of the same name is written, nor the deleted one created again.
    let applied: ReadOf<C>;
    try {
      applied = await this.#send(desired, { uid: objectMeta(existing).uid ?? "" });
    } catch (error) {
      const fields = desired.onImmutable === undefined ? [] : immutableFields(error);
      if (fields.length === 0) throw error;
      return this.#recreate(existing, desired, fields);
    }
    if (objectMeta(controlled).resourceVersion !== objectMeta(applied).resourceVersion)
      this.#corrected(kind, key, live, object);
    return applied;
  }

  /** Deletes the child and creates it from the desired state. Throws CHILD_DELETED where that happens again and again. */
  async #recreate<C extends AnyKind>(
    existing: ReadOf<C>,
    desired: DesiredChild<C>,
    fields: readonly string[],
  ): Promise<ReadOf<C>> {
    const { kind, key, onImmutable } = desired;
    const { childClient: client, controller, recorder } = this.#run.services;
    const { uid = "" } = objectMeta(existing);
    await this.#ownership.mayCreateAgain(kind, key);
    this.#run.reportWrite(kind, key, "delete");
    const propagationPolicy = onImmutable === "orphan" ? "Orphan" : "Background";
    const options = { propagationPolicy, preconditions: { uid }, signal: this.#run.requestSignal } as const;
    const terminating = await client.delete(kind, nameOfKey(key), options).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    if (terminating !== undefined) {
      const until = (child: ReadOf<C> | undefined): boolean => child === undefined || objectMeta(child).uid !== uid;
      await waitInCache(this.#run, kind, key, { until, timeout: deletionTimeout });
    }
    const created = await this.#createByApply(desired);
    const note = `Deleted ${kind.kind} "${formatKey(key)}" and created it again: immutable ${fields.join(", ")} changed`;
    recorder.record(controller.kind, this.#run.object, { type: "Normal", reason: "Recreated", note });
    return created;
  }

  /** Rejects with a conflict when the object exists. */
  async #createByApply<C extends AnyKind>(desired: DesiredChild<C>): Promise<ReadOf<C>> {
    const created = await this.#send(desired, { resourceVersion: absentVersion });
    this.#run.services.recreations.created(childId(desired.kind, desired.key));
    return created;
  }

  /** `precondition` becomes part of the metadata; no manager owns it. */
  async #send<C extends AnyKind>(
    { kind, key, object }: DesiredChild<C>,
    precondition: { readonly uid: string } | { readonly resourceVersion: string },
  ): Promise<ReadOf<C>> {
    const { childClient: client, controller, appliedChildren } = this.#run.services;
    const { fieldManager } = controller;
    this.#run.reportWrite(kind, key, "apply");
    const metadata = { ...(object["metadata"] as JsonObject), ...precondition };
    const options = { fieldManager, force: true, signal: this.#run.requestSignal };
    const applied = await client.apply(kind, { ...object, metadata } as never, options);
    const transform = childKindOf(controller, kind)?.selection.transform;
    // As the cache has it: what is remembered is compared with that.
    const stored = (transform === undefined ? applied : transform(applied)) as unknown as JsonObject;
    if (!isApplied(stored, object, fieldManager)) appliedChildren.add(childId(kind, key), stored, object);
    return applied;
  }

  #corrected(kind: AnyKind, key: ObjectKey, existing: JsonObject, desired: JsonObject): void {
    const { object, causes, services } = this.#run;
    const { fieldConflicts, controller } = services;
    const { fieldManager } = controller;
    fieldConflicts.corrected({
      kind: kind.id,
      key: formatKey(key),
      uid: objectMeta(existing).uid ?? "",
      fields: disputedFields(existing, desired, fieldManager),
      suspect: lastOtherManager(existing, fieldManager),
      generation: objectMeta(object).generation,
      causes,
    });
  }
}

/** Whether an apply by uid found no object, or another one. */
function isAboutOtherObject(error: unknown): boolean {
  return (
    isConflict(error) ||
    (isInvalid(error) && error.status.details?.causes?.some(({ field }) => field === "metadata.uid") === true)
  );
}
