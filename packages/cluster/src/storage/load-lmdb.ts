import { OperatorError } from "@kubewright/core/errors";

/**
 * Loads lmdb, on demand: an optional dependency, with native code, that a cluster in memory does without.
 *
 * Rejects with STORAGE_UNAVAILABLE when it is not installed or has no binary for this platform.
 */
export async function loadLmdb(dataDir: string, load = () => import("lmdb")): Promise<typeof import("lmdb")> {
  try {
    return await load();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `Cannot use data folder "${dataDir}": the optional dependency "lmdb" did not load (${why}); install it, or start without a data folder`;
    throw new OperatorError("STORAGE_UNAVAILABLE", message, { cause: error });
  }
}
