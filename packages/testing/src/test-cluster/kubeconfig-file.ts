import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Writes a kubeconfig to a file that only this user can read. `remove` deletes it. */
export async function kubeconfigFile(
  content: string,
): Promise<{ readonly path: string; readonly remove: () => Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), "kubewright-test-"));
  const path = join(dir, "kubeconfig");
  await writeFile(path, content, { mode: 0o600 });
  return { path, remove: () => rm(dir, { recursive: true, force: true }) };
}
