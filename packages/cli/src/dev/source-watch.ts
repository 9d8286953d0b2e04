import { type FSWatcher, watch } from "node:fs";
import { dirname, extname } from "node:path";
import { type Clock, systemClock } from "@kubewright/core/clock";

/** Editors write a file in several steps; a branch switch writes many files. */
const quietMs = 30;
const sourceExtensions = new Set([".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".json"]);

/**
 * Calls `changed` some milliseconds after the last change of a source file in any of its directories.
 *
 * Watches directories, not files: many editors replace a file, and a watch of the file would follow the replaced one.
 */
export class SourceWatch implements Disposable {
  readonly #changed: () => void;
  readonly #clock: Clock;
  readonly #watchers = new Map<string, FSWatcher>();
  #timer: { cancel(): void } | undefined;

  constructor(changed: () => void, clock: Clock = systemClock) {
    this.#changed = changed;
    this.#clock = clock;
  }

  /** Watches exactly the directories of these files from now on. One that cannot be watched is skipped. */
  follow(files: readonly string[]): void {
    const directories = new Set(files.map((file) => dirname(file)));
    for (const [directory, watcher] of this.#watchers)
      if (!directories.has(directory)) {
        watcher.close();
        this.#watchers.delete(directory);
      }
    for (const directory of directories) {
      if (this.#watchers.has(directory)) continue;
      try {
        const watcher = watch(directory, (_, name) => this.#touched(name));
        // The directory was removed: the next load reports what is missing.
        watcher.on("error", () => this.#touched(null));
        this.#watchers.set(directory, watcher);
      } catch {
        // As above.
      }
    }
  }

  [Symbol.dispose](): void {
    this.#timer?.cancel();
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #touched(name: string | null): void {
    if (name !== null && !sourceExtensions.has(extname(name))) return;
    this.#timer?.cancel();
    this.#timer = this.#clock.startTimer(quietMs, this.#changed);
  }
}
