import { isNotFound } from "@kubewright/core/errors";
import { controllerOf, type Owned } from "@kubewright/core/meta";

/** An object that an owner can adopt. */
interface Claimable {
  readonly metadata: Owned["metadata"] & { readonly name: string; readonly deletionTimestamp?: string };
}

/** The owner of the claimed objects, and the actions on them. */
export interface ClaimOptions<T extends Claimable> {
  readonly owner: { readonly metadata: { readonly uid: string; readonly deletionTimestamp?: string } };
  /** Whether an object matches the owner's selector. */
  readonly matches: (object: T) => boolean;
  /** Sets the owner as controller of an object and returns the updated object. */
  readonly adopt: (name: string) => Promise<T>;
  /** Removes the owner from an object's ownerReferences. */
  readonly release: (name: string) => Promise<unknown>;
}

/**
 * Returns the objects that the owner controls, like ControllerRefManager: keeps matching owned objects, adopts matching orphans, and releases
 * owned objects that no longer match. An owner that is being deleted neither adopts nor releases. Throws the first error after trying all.
 */
export async function claimObjects<T extends Claimable>(
  objects: readonly T[],
  options: ClaimOptions<T>,
): Promise<readonly T[]> {
  const owned: T[] = [];
  const failures: unknown[] = [];
  for (const object of objects) {
    // The common case, kept synchronous: most objects are owned already.
    if (controllerOf(object)?.uid === options.owner.metadata.uid && options.matches(object)) {
      owned.push(object);
      continue;
    }
    try {
      const claimed = await claimObject(object, options);
      if (claimed !== undefined) owned.push(claimed);
    } catch (error) {
      // A deleted object needs no claim.
      if (!isNotFound(error)) failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return owned;
}

/** Handles an object that is not both owned and matching. */
async function claimObject<T extends Claimable>(object: T, options: ClaimOptions<T>): Promise<T | undefined> {
  const { name, deletionTimestamp } = object.metadata;
  const { uid, deletionTimestamp: ownerDeletedAt } = options.owner.metadata;
  const controller = controllerOf(object);
  if (controller !== undefined) {
    if (controller.uid === uid && ownerDeletedAt === undefined) await options.release(name);
    return undefined;
  }
  if (ownerDeletedAt !== undefined || deletionTimestamp !== undefined || !options.matches(object)) return undefined;
  return options.adopt(name);
}
