import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";

/**
 * `adopt-data FROM TO SNAPSHOT`: makes the folder FROM the data folder TO, in one step, and deletes the snapshot. A data folder that exists is kept: it has
 * what was written since it was restored.
 */
export async function adoptData([from = "", to = "", snapshot = ""]: readonly string[]): Promise<string> {
  if (from === "" || to === "" || snapshot === "") throw new Error("Usage: adopt-data FROM TO SNAPSHOT");
  const isKept = existsSync(to);
  if (isKept) await rm(from, { recursive: true, force: true });
  else await rename(from, to);
  await rm(snapshot, { force: true });
  return isKept ? `${to} exists and is kept` : `${to} has the data of the snapshot`;
}
