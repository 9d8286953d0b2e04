import { formatKey, keyOf, type ObjectKey, type OwnerReference } from "@kubewright/core/identity";
import { ownerReferenceTo } from "@kubewright/core/meta";
import { apiVersionOf, nameOfKey, type ObjectPatch, objectMeta } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { type Cause, ownerAnnotation, ownerLabel } from "../route/index.js";
import {
  type AdoptOption,
  type ChildControl,
  controlOf,
  isAdoptable,
  managedControlOf,
  notControlled,
  notManaged,
  type OwnerMark,
} from "./child-control.js";
import { childId, childKindOf } from "./child-kinds.js";
import { LiveOwner } from "./live-owner.js";
import { ChildDeletedError } from "./retry-delay.js";
import type { Run } from "./run.js";

/** The owner of a run's children: which objects it controls, may create and may take over. */
export class ChildOwnership {
  readonly #run: Run;
  readonly #liveOwner: LiveOwner;
  #owner: OwnerReference | undefined;

  constructor(run: Run) {
    this.#run = run;
    this.#liveOwner = new LiveOwner(run);
  }

  /** The controller reference. Created on first use: many runs write nothing. */
  get owner(): OwnerReference {
    if (this.#owner === undefined) {
      const { kind } = this.#run.services.controller;
      const metadata = objectMeta(this.#run.object);
      const owner = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
      this.#owner = ownerReferenceTo(owner, { controller: true });
    }
    return this.#owner;
  }

  /** What marks the objects that the owner manages. */
  get mark(): OwnerMark {
    const { kind } = this.#run.services.controller;
    const metadata = objectMeta(this.#run.object);
    return {
      label: ownerLabel(kind),
      uid: this.owner.uid,
      annotation: ownerAnnotation(kind),
      owner: formatKey(keyOf({ metadata })),
    };
  }

  /** Whether objects of this kind name their owner by a label instead of an ownerReference. */
  isManaged(kind: AnyKind): boolean {
    return childKindOf(this.#run.services.controller, kind)?.by === "label";
  }

  /** The field managers of the controller, now and before. */
  get managers(): readonly string[] {
    const { fieldManager, formerNames } = this.#run.services.controller;
    return [fieldManager, ...formerNames];
  }

  /** Throws OWNER_GONE unless the owner exists on the server. One request per run. */
  mustExist(): Promise<void> {
    return this.#liveOwner.mustExist();
  }

  /**
   * Throws OWNER_GONE where a child was deleted because its owner no longer exists: the garbage collector would delete each new one, too. Costs a
   * request only after the deletion of a child.
   */
  async mayCreate(): Promise<void> {
    const { causes } = this.#run;
    if (causes.some((cause) => isOfChild(cause) && cause.change === "deleted")) await this.mustExist();
  }

  /** As {@link mayCreate}, for a child with a name; throws CHILD_DELETED where it is deleted again and again. */
  async mayCreateAgain(kind: AnyKind, key: ObjectKey): Promise<void> {
    const waitMs = this.#run.services.recreations.waitMs(childId(kind, key));
    if (waitMs > 0) {
      const what = `${kind.kind} "${formatKey(key)}" for ${this.owner.kind} "${this.owner.name}"`;
      const why = "it is deleted again and again soon after its creation";
      const when = `it is created again in ${Math.ceil(waitMs / 1_000)} s`;
      throw new ChildDeletedError(`Cannot create ${what}: ${why}; ${when}`, waitMs);
    }
    await this.mayCreate();
  }

  /** Throws NOT_CONTROLLED unless this owner controls the object, or `adopt` takes it over; then OWNER_GONE unless the owner exists on the server. */
  async mustControl(verb: string, kind: AnyKind, existing: ReadOf<AnyKind>, adopt: AdoptOption): Promise<ChildControl> {
    const metadata = objectMeta(existing);
    const isManaged = this.isManaged(kind);
    const control = isManaged
      ? managedControlOf(metadata, this.mark, this.managers)
      : controlOf(metadata, this.owner, this.managers);
    if (!isAdoptable(control, adopt)) {
      const what = { verb, kind: kind.kind };
      throw isManaged
        ? notManaged(what, metadata, this.mark, control)
        : notControlled(what, metadata, this.owner, control);
    }
    // The cache may be behind. An owner that is deleted with policy Orphan leaves its children, and the garbage collector deletes what a deleted
    // owner adopts; and where another owner has its name, that is the later one.
    if (control !== "own") await this.mustExist();
    return control;
  }

  /** Makes this owner the controller, instead of an earlier one of its name. */
  makeChild<C extends AnyKind>(kind: C, existing: ReadOf<C>): Promise<ReadOf<C>> {
    const { ownerReferences = [] } = objectMeta(existing);
    const others = ownerReferences.filter(({ uid, controller }) => uid !== this.owner.uid && controller !== true);
    return this.patchOwners("adopt", kind, existing, [...others, this.owner]);
  }

  /** Replaces the owner references. Rejects with a conflict when the object changed since it was read. */
  async patchOwners<C extends AnyKind>(
    verb: string,
    kind: C,
    existing: ReadOf<AnyKind>,
    ownerReferences: readonly OwnerReference[],
  ): Promise<ReadOf<C>> {
    const { childClient: client, controller } = this.#run.services;
    const { uid, resourceVersion } = objectMeta(existing);
    const key = keyOf({ metadata: objectMeta(existing) });
    this.#run.reportWrite(kind, key, verb);
    // The patch replaces the whole list, so it carries the resourceVersion that was read.
    const merge = { metadata: { uid, resourceVersion, ownerReferences } };
    return client.patch(kind, nameOfKey(key), { merge } as ObjectPatch<AnyKind>, {
      fieldManager: controller.fieldManager,
      signal: this.#run.requestSignal,
    });
  }
}

function isOfChild(cause: Cause): cause is Extract<Cause, { readonly change: string }> {
  return cause.source === "owns" || cause.source === "manages";
}
