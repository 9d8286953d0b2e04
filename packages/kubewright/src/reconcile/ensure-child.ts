import { isAlreadyExists } from "@kubewright/core/errors";
import type { ObjectKey } from "@kubewright/core/identity";
import { nameOfKey } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { childId } from "./child-kinds.js";
import type { ChildOwnership } from "./child-ownership.js";
import type { Run } from "./run.js";

/** A child that is created once. */
export interface EnsuredChild<C extends AnyKind> {
  readonly kind: C;
  readonly key: ObjectKey;
  /** Makes the object, and passes it to the function that creates it. */
  readonly create: (create: (object: object) => Promise<ReadOf<C>>) => Promise<ReadOf<C>>;
}

/**
 * Returns the child; creates it where it does not exist. An existing child is never written.
 *
 * With a stale cache the server rejects the creation, and the existing object is read from the server: the initial
 * values replace nothing. Throws NOT_CONTROLLED where the existing object is not a child of this owner.
 */
export async function ensureChild<C extends AnyKind>(
  run: Run,
  ownership: ChildOwnership,
  { kind, key, create }: EnsuredChild<C>,
): Promise<ReadOf<C>> {
  const { childClient: client, controller, recreations } = run.services;
  const checked = async (existing: ReadOf<C>): Promise<ReadOf<C>> => {
    await ownership.mustControl("ensure", kind, existing, false);
    return existing;
  };
  const cached = await client.find(kind, nameOfKey(key));
  if (cached !== undefined) return checked(cached);
  await ownership.mayCreateAgain(kind, key);
  try {
    return await create(async (object) => {
      run.reportWrite(kind, key, "create");
      const options = { fieldManager: controller.fieldManager, signal: run.requestSignal };
      const created = await client.create(kind, object as never, options);
      recreations.created(childId(kind, key));
      return created;
    });
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
