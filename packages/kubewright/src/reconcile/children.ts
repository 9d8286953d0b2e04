import { isNotFound, OperatorError } from "@kubewright/core/errors";
import { formatKey, keyOf, type ObjectKey, type ObjectMeta } from "@kubewright/core/identity";
import { copyFields, type JsonObject, normaliseJson } from "@kubewright/core/json";
import { controllerOf } from "@kubewright/core/meta";
import { ownerIndex } from "../cache/index.js";
import { apiVersionOf, nameOfKey, type ObjectPatch, objectMeta, resolveName } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { ChildApplier } from "./child-applier.js";
import { isMadeBy } from "./child-control.js";
import { childId, childKindOf, managedIndex, mustSelect } from "./child-kinds.js";
import { ChildOwnership } from "./child-ownership.js";
import type { ApplyChildOptions, ContextDeleteOptions } from "./context-types.js";
import { ensureChild } from "./ensure-child.js";
import type { Run } from "./run.js";
import { withEncodedData } from "./secret-data.js";

type Name = string | { readonly name: string; readonly namespace?: string };
type Written = {
  readonly metadata: { readonly name?: string; readonly generateName?: string; readonly namespace?: string };
};

/** A child without its name. */
type InitialChild = { readonly metadata?: object };

/**
 * Writes the children of one owner during one run.
 *
 * Guarantees: each child has its owner as controller reference; no object that another owner controls is written; a write that would
 * change nothing is not sent; no child is created again for an owner that the server no longer has; `prune` deletes only what this controller created
 * for this owner.
 */
export class Children {
  readonly #run: Run;
  readonly #ownership: ChildOwnership;
  readonly #applier: ChildApplier;
  readonly #namespace: string;
  /** What this run desires. */
  readonly #wanted: { readonly kind: AnyKind; readonly key: ObjectKey }[] = [];

  constructor(run: Run) {
    this.#run = run;
    this.#ownership = new ChildOwnership(run);
    this.#applier = new ChildApplier(run, this.#ownership);
    this.#namespace = objectMeta(run.object).namespace ?? "";
  }

  async apply<C extends AnyKind>(
    kind: C,
    child: Written,
    { adopt = false, onImmutable }: ApplyChildOptions = {},
  ): Promise<ReadOf<C>> {
    const { access } = this.#run.services;
    access.mustOwn("apply", kind);
    const key = this.#keyOf(kind, child.metadata.name ?? "", child.metadata.namespace);
    this.#wanted.push({ kind, key });
    const object = withEncodedData(kind, normaliseJson(this.#withOwner(kind, child, key)) as JsonObject);
    return this.#selected("apply", kind, [key, object], () =>
      this.#applier.apply({ kind, key, object, adopt, onImmutable }),
    );
  }

  async create<C extends AnyKind>(kind: C, object: Written): Promise<ReadOf<C>> {
    const { access, childClient: client, controller } = this.#run.services;
    access.mustAllow("create", kind);
    const options = { fieldManager: controller.fieldManager, signal: this.#run.requestSignal };
    const { name, generateName } = object.metadata;
    const key = this.#keyOf(kind, name ?? `${generateName}x`, object.metadata.namespace);
    if (access.owns(kind)) await this.#ownership.mayCreate();
    this.#run.reportWrite(kind, name === undefined ? { ...key, name: `${generateName}` } : key, "create");
    const body = access.owns(kind)
      ? this.#withOwner(kind, object, key)
      : { ...object, metadata: { ...object.metadata, ...inNamespace(key) } };
    const created = await this.#selected("create", kind, [key, body], () =>
      client.create(kind, withEncodedData(kind, body) as never, options),
    );
    this.#wanted.push({ kind, key: keyOf({ metadata: objectMeta(created) }) });
    return created;
  }

  /** Creates a child that does not exist, and returns the existing one otherwise. `initial` is called only before a creation. */
  async ensure<C extends AnyKind>(
    kind: C,
    name: Name,
    initial: () => InitialChild | Promise<InitialChild>,
  ): Promise<ReadOf<C>> {
    this.#run.services.access.mustOwn("ensure", kind);
    const { name: text, namespace } = typeof name === "string" ? { name, namespace: undefined } : name;
    const key = this.#keyOf(kind, text, namespace);
    this.#wanted.push({ kind, key });
    return ensureChild(this.#run, this.#ownership, {
      kind,
      key,
      create: async (create) => {
        const { metadata, ...fields } = await initial();
        const child = { ...fields, metadata: { ...metadata, name: key.name } };
        const body = withEncodedData(kind, this.#withOwner(kind, child, key));
        return this.#selected("ensure", kind, [key, body], () => create(body));
      },
    });
  }

  async patch<C extends AnyKind>(kind: C, name: Name, patch: ObjectPatch<C>): Promise<ReadOf<C>> {
    const { access, childClient: client, controller } = this.#run.services;
    access.mustAllow("patch", kind);
    const key = resolveName(kind, name, this.#namespace);
    if (access.owns(kind)) await this.#findControlled("patch", kind, key);
    this.#run.reportWrite(kind, key, "patch");
    return client.patch(kind, nameOfKey(key), patch, {
      fieldManager: controller.fieldManager,
      signal: this.#run.requestSignal,
    });
  }

  async delete(kind: AnyKind, name: Name, options: ContextDeleteOptions = {}): Promise<void> {
    const { access } = this.#run.services;
    access.mustAllow("delete", kind);
    const key = resolveName(kind, name, this.#namespace);
    const existing = access.owns(kind) ? await this.#findControlled("delete", kind, key) : undefined;
    if (access.owns(kind) && existing === undefined) return;
    await this.#delete(kind, key, existing, options);
  }

  /** Adds the controller reference to an object that has none. Leaves a child as it is. */
  async adopt<C extends AnyKind>(kind: C, name: Name): Promise<ReadOf<C>> {
    const { access, childClient: client } = this.#run.services;
    access.mustOwn("adopt", kind);
    this.#mustBeReferenced("adopt", kind);
    const key = resolveName(kind, name, this.#namespace);
    const existing = await client.get(kind, nameOfKey(key));
    const control = await this.#ownership.mustControl("adopt", kind, existing, true);
    return control === "own" ? existing : this.#ownership.makeChild(kind, existing);
  }

  /** Removes the controller reference; the object stays. Leaves other objects as they are. */
  async release(kind: AnyKind, name: Name): Promise<void> {
    const { access, childClient: client } = this.#run.services;
    access.mustOwn("release", kind);
    this.#mustBeReferenced("release", kind);
    const key = resolveName(kind, name, this.#namespace);
    const existing = await client.find(kind, nameOfKey(key));
    const { ownerReferences = [] } = existing === undefined ? {} : objectMeta(existing);
    const others = ownerReferences.filter(({ uid }) => uid !== this.#ownership.owner.uid);
    if (existing === undefined || others.length === ownerReferences.length) return;
    try {
      await this.#ownership.patchOwners("release", kind, existing, others);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  async prune(kinds: readonly AnyKind[]): Promise<number> {
    const { access } = this.#run.services;
    const managers = this.#ownership.managers;
    let deleted = 0;
    const wanted = new Set(this.#wanted.map(({ kind, key }) => childId(kind, key)));
    for (const kind of kinds) {
      access.mustOwn("prune", kind);
      for (const child of this.#ofOwner(kind)) {
        const metadata = objectMeta(child);
        const key = keyOf({ metadata });
        if (!isMadeBy(metadata, managers) || wanted.has(childId(kind, key))) continue;
        if (metadata.deletionTimestamp !== undefined) continue;
        await this.#delete(kind, key, child);
        deleted += 1;
      }
    }
    return deleted;
  }

  /** The cached children of a kind that name this owner. */
  #ofOwner(kind: AnyKind): readonly ReadOf<AnyKind>[] {
    const { controller, informers } = this.#run.services;
    const selection = childKindOf(controller, kind)?.selection;
    const informer = informers.informer(kind, selection);
    const { uid } = this.#ownership.owner;
    const isOwn = (child: ReadOf<AnyKind>): boolean =>
      this.#ownership.isManaged(kind)
        ? objectMeta(child).labels?.[this.#ownership.mark.label] === uid
        : controllerOf(meta(child))?.uid === uid;
    const index = selection?.indexes.get(managedIndex)?.id ?? ownerIndex;
    return informer.byIndex(index, uid, isOwn).filter(isOwn);
  }

  async #delete(
    kind: AnyKind,
    key: ObjectKey,
    existing: ReadOf<AnyKind> | undefined,
    options: ContextDeleteOptions = {},
  ): Promise<void> {
    const { childClient: client } = this.#run.services;
    this.#run.reportWrite(kind, key, "delete");
    const { uid = existing === undefined ? undefined : objectMeta(existing).uid, ...how } = options;
    try {
      // By uid, so that a new object of the same name is not deleted.
      await client.delete(kind, key, {
        signal: this.#run.requestSignal,
        propagationPolicy: "Background",
        ...how,
        ...(uid === undefined ? {} : { preconditions: { uid } }),
      });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  #mustBeReferenced(verb: string, kind: AnyKind): void {
    if (!this.#ownership.isManaged(kind)) return;
    const why = "a managed object has no controller reference; apply it with { adopt: true }";
    throw new OperatorError("CONFIG_INVALID", `Cannot ${verb} ${kind.kind} objects: ${why}`);
  }

  async #findControlled(verb: string, kind: AnyKind, key: ObjectKey): Promise<ReadOf<AnyKind> | undefined> {
    const existing = await this.#run.services.childClient.find(kind, key);
    if (existing !== undefined) await this.#ownership.mustControl(verb, kind, existing, false);
    return existing;
  }

  /** Writes a child, and throws CONFIG_INVALID where `owns` does not select it; for a field that the server sets, after the write. */
  async #selected<T>(
    verb: string,
    kind: AnyKind,
    [key, body]: readonly [ObjectKey, object],
    write: () => Promise<T>,
  ): Promise<T> {
    const declared = childKindOf(this.#run.services.controller, kind);
    if (declared !== undefined) mustSelect(verb, declared, key, body);
    const written = await write();
    if (declared !== undefined) mustSelect(verb, declared, key, written as object);
    return written;
  }

  #withOwner(kind: AnyKind, child: Written, key: ObjectKey): object {
    const metadata = copyFields(child.metadata as Readonly<Record<string, unknown>>);
    if (key.namespace !== "") metadata["namespace"] = key.namespace;
    let labels = childKindOf(this.#run.services.controller, kind)?.labels ?? {};
    if (this.#ownership.isManaged(kind)) {
      const { label, uid, annotation, owner } = this.#ownership.mark;
      labels = { [label]: uid };
      metadata["annotations"] = { ...(metadata["annotations"] as object | undefined), [annotation]: owner };
    } else metadata["ownerReferences"] = [this.#ownership.owner];
    if (Object.keys(labels).length > 0)
      metadata["labels"] = { ...labels, ...(metadata["labels"] as object | undefined) };
    const object = copyFields(child as Readonly<Record<string, unknown>>);
    object["apiVersion"] = apiVersionOf(kind);
    object["kind"] = kind.kind;
    object["metadata"] = metadata;
    return object;
  }

  #keyOf(kind: AnyKind, name: string, namespace: string | undefined): ObjectKey {
    // A managed object can be in any namespace, so there is no default.
    if (this.#ownership.isManaged(kind)) return resolveName(kind, { name, namespace }, "");
    const key = resolveName(kind, { name, namespace }, this.#namespace);
    if (this.#run.services.access.owns(kind) && this.#namespace !== "" && key.namespace !== this.#namespace) {
      const text = `Cannot make ${kind.kind} "${formatKey(key)}" a child of ${this.#ownership.owner.kind} "${this.#ownership.owner.name}"`;
      throw new OperatorError("CONFIG_INVALID", `${text}: a child lives in its owner's namespace "${this.#namespace}"`);
    }
    return key;
  }
}

function meta(object: unknown): { readonly metadata: ObjectMeta } {
  return { metadata: objectMeta(object) };
}

function inNamespace({ namespace }: ObjectKey): { readonly namespace?: string } {
  return namespace === "" ? {} : { namespace };
}
