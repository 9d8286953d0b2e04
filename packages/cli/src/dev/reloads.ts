import { isOperatorError } from "kubewright";
import { exportedOperator } from "../exported-operator.js";
import type { ProjectModule } from "../project-module.js";
import type { DevOperator } from "./dev-operator.js";
import type { LiveView } from "./live-view.js";
import type { TypeCheck } from "./type-check.js";

/** What a reload reads, changes and reports to. */
export interface ReloadParts {
  /** The module's name, for messages. */
  readonly name: string;
  readonly bundle: ProjectModule;
  readonly developed: DevOperator;
  readonly view: LiveView;
  /** Undefined: type errors are not shown. */
  readonly types: TypeCheck | undefined;
}

/** Reloads one after the other: a change during a reload causes one more. */
export class Reloads {
  readonly #parts: ReloadParts;
  #waiting: Promise<void> | undefined;
  #hadTypeErrors = false;
  /** Resolves when no reload is in progress. */
  settled: Promise<void> = Promise.resolve();

  constructor(parts: ReloadParts) {
    this.#parts = parts;
  }

  /** Resolves when a reload that began after this call has ended. Never rejects. */
  request(): Promise<void> {
    this.#waiting ??= this.settled.then(() => {
      this.#waiting = undefined;
      this.settled = this.#reload();
      return this.settled;
    });
    return this.#waiting;
  }

  /** Shows type errors, which do not stop anything. */
  checkTypes(): void {
    const { types, view } = this.#parts;
    void types?.run().then((errors) => {
      if (errors === undefined) return;
      if (errors.length > 0) view.problem("typeErrors", `Type errors (the operator runs):\n  ${errors.join("\n  ")}`);
      else if (this.#hadTypeErrors) view.note("typesRepaired", "No type errors any more");
      this.#hadTypeErrors = errors.length > 0;
    });
  }

  async #reload(): Promise<void> {
    const { name, bundle, developed, view } = this.#parts;
    const startedMs = performance.now();
    try {
      const taken = await developed.use(exportedOperator(name, await bundle.load()));
      const ms = Math.round(performance.now() - startedMs);
      const reload = bundle.loads - 1;
      const heapMiB = Math.round(process.memoryUsage().heapUsed / 2 ** 20);
      const how = taken === "replaced" ? "caches stayed synced" : taken;
      view.note("reloaded", view.bold(`Reloaded in ${ms} ms (${how}; reload ${reload}, heap ${heapMiB} MiB)`), {
        ms,
        taken,
        reload,
        heapMiB,
      });
    } catch (error) {
      const why = error instanceof Error ? (isOperatorError(error) ? error.message : error.stack) : String(error);
      view.problem("reloadFailed", `${why}\nThe last good version runs on.`);
      return;
    }
    this.checkTypes();
  }
}
