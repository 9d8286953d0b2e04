import type { StageDetail } from "kubewright/types";

/** Warnings that were emitted in this process: each test starts a cluster, and one warning is enough. */
const emitted = new Set<string>();

/** Passes each warning on once: to `onWarning`, or else as a warning of the process. */
export class StaleReadWarnings {
  readonly #onWarning: (warning: string) => void;
  readonly #known: Set<string>;

  constructor(onWarning: ((warning: string) => void) | undefined) {
    this.#onWarning = onWarning ?? ((warning) => process.emitWarning(warning, "KubewrightWarning"));
    this.#known = onWarning === undefined ? emitted : new Set();
  }

  /** A run has read a kind from the server, and nothing triggers a run when it changes. */
  report({ controller = "", read = "" }: StageDetail): void {
    const kind = read.slice(read.lastIndexOf("/") + 1);
    const warning =
      `Controller "${controller}" reads ${kind} from the server, and nothing watches it: the result can go stale. ` +
      `Declare ${kind} in \`uses\`, so that reads are tracked; or watch it, or return \`requeueAfter\`; ` +
      `or accept it with \`live(${kind}, { unwatched: true })\``;
    if (this.#known.has(warning)) return;
    this.#known.add(warning);
    this.#onWarning(warning);
  }
}
