import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { type SnapshotStorage, StorageError } from "./snapshot-storage.js";

/** Of files that are being written: a crash leaves them behind. */
const unfinishedSuffix = ".part";

/** Snapshots in a folder, such as the mount of a PersistentVolume. */
export function folderStorage(folder: string): SnapshotStorage {
  const fileOf = (name: string): string => {
    const parts = name.split("/");
    if (parts.some((part) => part === "" || part === "." || part === ".." || part.includes(sep)) || name.includes("\0"))
      throw new StorageError("other", `"${name.slice(0, 200)}" is not a name in a folder`);
    return join(folder, ...parts);
  };

  return {
    async save(name, content, signal) {
      const file = fileOf(name);
      await mkdir(dirname(file), { recursive: true });
      const unfinished = `${file}${unfinishedSuffix}`;
      try {
        const handle = await open(unfinished, "w", 0o600);
        try {
          for await (const chunk of content) {
            signal.throwIfAborted();
            await handle.writeFile(chunk);
          }
          await handle.sync();
        } finally {
          await handle.close();
        }
        await rename(unfinished, file);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    async list(prefix) {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile() && !entry.name.endsWith(unfinishedSuffix))
        .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, sep).length).replaceAll(sep, "/"))
        .filter((name) => name.startsWith(prefix));
    },
    async *read(name, signal) {
      try {
        yield* createReadStream(fileOf(name), { signal });
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT")
          throw new StorageError("notFound", `There is no file ${fileOf(name)}`, { cause: error });
        throw error;
      }
    },
    async delete(name) {
      await rm(fileOf(name), { force: true });
    },
  };
}
