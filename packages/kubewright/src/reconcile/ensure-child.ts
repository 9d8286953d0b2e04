import { isAlreadyExists } from "@kubewright/core/errors";
import type { ObjectKey } from "@kubewright/core/identity";
import { nameOfKey } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { type ChildOwnership, childId } from "./child-ownership.js";
import type { Run } from "./run.js";

/** A child that is created once. */
export interface EnsuredChild<C extends AnyKind> {
  readonly kind: C;
  readonly key: ObjectKey;
  /** The object to create, with its name and owner. */
  readonly make: () => Promise<object>;
}

/**
 * Returns the child; creates it where it does not exist. An existing child is never written.
 *
 * With a stale cache the server rejects the creation, and the existing object is read from the server: `make` may have been called for nothing, but
 * its result replaces nothing. Throws NOT_CONTROLLED where the existing object is not a child of this owner.
 */
export async function ensureChild<C extends AnyKind>(
  run: Run,
  ownership: ChildOwnership,
  { kind, key, make }: EnsuredChild<C>,
): Promise<ReadOf<C>> {
  const { client, controller, recreations } = run.services;
  const checked = async (existing: ReadOf<C>): Promise<ReadOf<C>> => {
    await ownership.mustControl("ensure", kind, existing, false);
    return existing;
  };
  const cached = await client.find(kind, nameOfKey(key));
  if (cached !== undefined) return checked(cached);
  await ownership.mayCreateAgain(kind, key);
  const object = await make();
  run.reportWrite(kind, key, "create");
  try {
    const options = { fieldManager: controller.fieldManager, signal: run.requestSignal };
    const created = await client.create(kind, object as never, options);
    recreations.created(childId(kind, key));
    return created;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const live = await client.live.find(kind, nameOfKey(key), { signal: run.requestSignal });
    // Deleted in between: the next run creates it.
    if (live === undefined) throw error;
    await checked(live);
    client.noteWrite(kind, live);
    return live;
  }
}
