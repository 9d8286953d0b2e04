import { isNotFound } from "@kubewright/core/errors";
import { controllerOf, type Owned } from "@kubewright/core/meta";

/** What can be somebody's. */
interface Claimable {
  readonly metadata: Owned["metadata"] & { readonly name: string; readonly deletionTimestamp?: string };
}

/** Whose objects are claimed, and how. */
export interface Claim<T extends Claimable> {
  readonly owner: { readonly metadata: { readonly uid: string; readonly deletionTimestamp?: string } };
  /** Whether an object is one that the owner wants. */
  readonly matches: (object: T) => boolean;
  /** Makes an object the owner's; gives it as it is then. */
  readonly adopt: (name: string) => Promise<T>;
  /** Ends that an object is the owner's. */
  readonly release: (name: string) => Promise<unknown>;
}

/**
 * The objects among these that are the owner's from now on: its own that it still wants, and wanted ones that were nobody's. Its own that it
 * does not want any more are released. An owner that is being deleted neither takes nor gives. Throws the first failure after all have been tried.
 */
export async function claim<T extends Claimable>(objects: readonly T[], options: Claim<T>): Promise<readonly T[]> {
  const mine: T[] = [];
  const failures: unknown[] = [];
  for (const object of objects) {
    // Mostly all are the owner's already, and there are many: nothing is waited for.
    if (controllerOf(object)?.uid === options.owner.metadata.uid && options.matches(object)) {
      mine.push(object);
      continue;
    }
    try {
      const claimed = await claimOne(object, options);
      if (claimed !== undefined) mine.push(claimed);
    } catch (error) {
      // Gone: there is nothing left to claim.
      if (!isNotFound(error)) failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return mine;
}

/** For an object that is not both the owner's and wanted. */
async function claimOne<T extends Claimable>(object: T, options: Claim<T>): Promise<T | undefined> {
  const { name, deletionTimestamp } = object.metadata;
  const { uid, deletionTimestamp: goesAt } = options.owner.metadata;
  const controller = controllerOf(object);
  if (controller !== undefined) {
    if (controller.uid === uid && goesAt === undefined) await options.release(name);
    return undefined;
  }
  if (goesAt !== undefined || deletionTimestamp !== undefined || !options.matches(object)) return undefined;
  return options.adopt(name);
}
