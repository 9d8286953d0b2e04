import { execFileSync } from "node:child_process";
import { posix } from "node:path";

/** The files of the repository by their paths, as git tracks them: what tests, builds and the demo leave in a folder is not part of them. */
export class TrackedFiles {
  readonly files: readonly string[];
  readonly #entries = new Map<string, Set<string>>();

  constructor(files: readonly string[]) {
    this.files = files;
    for (const file of files)
      for (let path = file; path !== "."; path = posix.dirname(path)) {
        const folder = posix.dirname(path);
        const entries = this.#entries.get(folder) ?? new Set();
        this.#entries.set(folder, entries.add(posix.basename(path)));
      }
  }

  /** Throws when the folder is not a checkout, or git is not installed. */
  static of(root: string): TrackedFiles {
    const list = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
    return new TrackedFiles(list.split("\0").filter((file) => file !== ""));
  }

  /** A tracked file, or a folder with one. */
  has(path: string): boolean {
    return this.isFolder(path) || (this.#entries.get(posix.dirname(path))?.has(posix.basename(path)) ?? false);
  }

  isFolder(path: string): boolean {
    return this.#entries.has(path);
  }

  /** The names in a folder, sorted. */
  namesIn(folder: string): string[] {
    return [...(this.#entries.get(folder) ?? [])].toSorted();
  }
}
