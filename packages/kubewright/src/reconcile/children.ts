import { isNotFound, OperatorError } from "@kubewright/core/errors";
import { formatKey, keyOf, type ObjectKey, type ObjectMeta, type OwnerReference } from "@kubewright/core/identity";
import { copyFields, type JsonObject, normaliseJson } from "@kubewright/core/json";
import { controllerOf, ownerReferenceTo } from "@kubewright/core/meta";
import { ownerIndex } from "../cache/index.js";
import { apiVersionOf, nameOfKey, type ObjectPatch, objectMeta, resolveName } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import type { ContextDeleteOptions } from "./context-types.js";
import { disputedFields, lastOtherManager } from "./disputed-fields.js";
import { isApplied } from "./is-applied.js";
import type { Run } from "./run.js";
import { takeOverFields } from "./take-over-fields.js";

type Name = string | { readonly name: string; readonly namespace?: string };
type Written = {
  readonly metadata: { readonly name?: string; readonly generateName?: string; readonly namespace?: string };
};

/**
 * Writes the children of one owner during one run.
 *
 * Guarantees: each child has its owner as controller reference; no object that another owner controls is written; a write that would
 * change nothing is not sent; `prune` deletes only what this controller created for this owner.
 */
export class Children {
  readonly #run: Run;
  readonly #namespace: string;
  #madeOwner: OwnerReference | undefined;
  /** What this run desires. */
  readonly #wanted: { readonly kind: AnyKind; readonly key: ObjectKey }[] = [];

  constructor(run: Run) {
    this.#run = run;
    this.#namespace = objectMeta(run.object).namespace ?? "";
  }

  /** Created on first use: many runs write nothing. */
  get #owner(): OwnerReference {
    if (this.#madeOwner === undefined) {
      const { kind } = this.#run.services.controller;
      const metadata = objectMeta(this.#run.object);
      const owner = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
      this.#madeOwner = ownerReferenceTo(owner, { controller: true });
    }
    return this.#madeOwner;
  }

  async apply<C extends AnyKind>(
    kind: C,
    child: Written,
    { adopt = false }: { readonly adopt?: boolean } = {},
  ): Promise<ReadOf<C>> {
    const { access, client, controller } = this.#run.services;
    access.mustOwn("apply", kind);
    const key = this.#keyOf(kind, child.metadata.name ?? "", child.metadata.namespace);
    this.#wanted.push({ kind, key });
    const desired = normaliseJson(this.#withOwner(kind, child, key)) as JsonObject;
    // The cache may not have the object yet: another client may have created it a moment ago, and an apply would take it over.
    const existing =
      (await client.find(kind, nameOfKey(key))) ??
      (await client.live.find(kind, nameOfKey(key), { signal: this.#run.requestSignal }));
    if (existing !== undefined) {
      this.#mustControl("apply", kind, existing, adopt);
      const isTakenOver = controller.formerNames.length > 0 && (await takeOverFields(this.#run, kind, existing));
      if (!isTakenOver && isApplied(existing as unknown as JsonObject, desired, controller.fieldManager))
        return existing;
    }
    this.#run.reportWrite(kind, key, "apply");
    const options = { fieldManager: controller.fieldManager, force: true, signal: this.#run.requestSignal };
    const applied = await client.apply(kind, desired as never, options);
    if (existing !== undefined && objectMeta(existing).resourceVersion !== objectMeta(applied).resourceVersion)
      this.#corrected(kind, key, existing as unknown as JsonObject, desired);
    return applied;
  }

  async create<C extends AnyKind>(kind: C, object: Written): Promise<ReadOf<C>> {
    const { access, client, controller } = this.#run.services;
    access.mustAllow("create", kind);
    const options = { fieldManager: controller.fieldManager, signal: this.#run.requestSignal };
    const { name, generateName } = object.metadata;
    const key = this.#keyOf(kind, name ?? `${generateName}x`, object.metadata.namespace);
    this.#run.reportWrite(kind, name === undefined ? { ...key, name: `${generateName}` } : key, "create");
    const body = access.owns(kind)
      ? this.#withOwner(kind, object, key)
      : { ...object, metadata: { ...object.metadata, ...inNamespace(key) } };
    const created = await client.create(kind, body as never, options);
    this.#wanted.push({ kind, key: keyOf({ metadata: objectMeta(created) }) });
    return created;
  }

  async patch<C extends AnyKind>(kind: C, name: Name, patch: ObjectPatch<C>): Promise<ReadOf<C>> {
    const { access, client, controller } = this.#run.services;
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
    const { access, client } = this.#run.services;
    access.mustOwn("adopt", kind);
    const key = resolveName(kind, name, this.#namespace);
    const existing = await client.get(kind, nameOfKey(key));
    this.#mustControl("adopt", kind, existing, true);
    const { ownerReferences = [] } = objectMeta(existing);
    if (ownerReferences.some(({ uid, controller }) => uid === this.#owner.uid && controller === true)) return existing;
    const others = ownerReferences.filter(({ uid }) => uid !== this.#owner.uid);
    return this.#patchOwners("adopt", kind, existing, [...others, this.#owner]);
  }

  /** Removes the controller reference; the object stays. Leaves other objects as they are. */
  async release(kind: AnyKind, name: Name): Promise<void> {
    const { access, client } = this.#run.services;
    access.mustOwn("release", kind);
    const key = resolveName(kind, name, this.#namespace);
    const existing = await client.find(kind, nameOfKey(key));
    const { ownerReferences = [] } = existing === undefined ? {} : objectMeta(existing);
    const others = ownerReferences.filter(({ uid }) => uid !== this.#owner.uid);
    if (existing === undefined || others.length === ownerReferences.length) return;
    try {
      await this.#patchOwners("release", kind, existing, others);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  async #patchOwners<C extends AnyKind>(
    verb: string,
    kind: C,
    existing: ReadOf<AnyKind>,
    ownerReferences: readonly OwnerReference[],
  ): Promise<ReadOf<C>> {
    const { client, controller } = this.#run.services;
    const { uid, resourceVersion } = objectMeta(existing);
    const key = keyOf(meta(existing));
    this.#run.reportWrite(kind, key, verb);
    // The patch replaces the whole list, so it carries the resourceVersion that was read.
    const merge = { metadata: { uid, resourceVersion, ownerReferences } };
    return client.patch(kind, nameOfKey(key), { merge } as ObjectPatch<AnyKind>, {
      fieldManager: controller.fieldManager,
      signal: this.#run.requestSignal,
    });
  }

  async prune(kinds: readonly AnyKind[]): Promise<number> {
    const { access, informers, controller } = this.#run.services;
    const managers = [controller.fieldManager, ...controller.formerNames];
    let deleted = 0;
    const wanted = new Set(this.#wanted.map(({ kind, key }) => wantedId(kind, key)));
    for (const kind of kinds) {
      access.mustOwn("prune", kind);
      const { uid } = this.#owner;
      const mine = informers.informer(kind).byIndex(ownerIndex, uid, (child) => controllerOf(meta(child))?.uid === uid);
      for (const child of mine) {
        const metadata = objectMeta(child);
        const key = keyOf({ metadata });
        const made = metadata.managedFields?.some(({ manager = "" }) => managers.includes(manager)) === true;
        if (!made || controllerOf(meta(child))?.uid !== uid || wanted.has(wantedId(kind, key))) continue;
        if (metadata.deletionTimestamp !== undefined) continue;
        await this.#delete(kind, key, child);
        deleted += 1;
      }
    }
    return deleted;
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

  async #delete(
    kind: AnyKind,
    key: ObjectKey,
    existing: ReadOf<AnyKind> | undefined,
    options: ContextDeleteOptions = {},
  ): Promise<void> {
    const { client } = this.#run.services;
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

  async #findControlled(verb: string, kind: AnyKind, key: ObjectKey): Promise<ReadOf<AnyKind> | undefined> {
    const existing = await this.#run.services.client.find(kind, key);
    if (existing !== undefined) this.#mustControl(verb, kind, existing, false);
    return existing;
  }

  #mustControl(verb: string, kind: AnyKind, existing: ReadOf<AnyKind>, adopt: boolean): void {
    const owner = controllerOf(meta(existing));
    if (owner?.uid === this.#owner.uid || (owner === undefined && adopt)) return;
    const why =
      owner === undefined
        ? "it exists and no owner controls it; apply with { adopt: true } to take it over"
        : `it is controlled by ${owner.kind} "${owner.name}"`;
    const name = formatKey(keyOf(meta(existing)));
    throw new OperatorError(
      "NOT_CONTROLLED",
      `Cannot ${verb} ${kind.kind} "${name}" for ${this.#owner.kind} "${this.#owner.name}": ${why}`,
    );
  }

  #withOwner(kind: AnyKind, child: Written, key: ObjectKey): object {
    const metadata = copyFields(child.metadata as Readonly<Record<string, unknown>>);
    if (key.namespace !== "") metadata["namespace"] = key.namespace;
    metadata["ownerReferences"] = [this.#owner];
    const object = copyFields(child as Readonly<Record<string, unknown>>);
    object["apiVersion"] = apiVersionOf(kind);
    object["kind"] = kind.kind;
    object["metadata"] = metadata;
    return object;
  }

  #keyOf(kind: AnyKind, name: string, namespace: string | undefined): ObjectKey {
    const key = resolveName(kind, { name, namespace }, this.#namespace);
    if (this.#run.services.access.owns(kind) && this.#namespace !== "" && key.namespace !== this.#namespace) {
      const text = `Cannot make ${kind.kind} "${formatKey(key)}" a child of ${this.#owner.kind} "${this.#owner.name}"`;
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

function wantedId(kind: AnyKind, key: ObjectKey): string {
  return `${kind.id} ${formatKey(key)}`;
}
