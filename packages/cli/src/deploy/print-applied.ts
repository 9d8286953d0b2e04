import type { AppliedObject } from "../apply-set/index.js";
import { changeLines } from "../change-lines.js";
import type { CommandStreams } from "../command-streams.js";
import { type Painter, painterFor } from "../painter.js";
import type { Progress } from "../progress.js";

const colours = { created: "green", configured: "yellow", unchanged: "dim", pruned: "red", deleted: "red" } as const;

/** Prints what happens to each object as kubectl does, with the changed fields of a dry run, then a summary; or one JSON object at the end. */
export class AppliedPrinter {
  readonly #out: CommandStreams["out"];
  readonly #paint: Painter;
  readonly #progress: Progress | undefined;
  readonly #isJson: boolean;
  readonly #dryRun: boolean;
  readonly #all: AppliedObject[] = [];

  constructor(
    streams: CommandStreams,
    { output, dryRun = false }: { readonly output: string; readonly dryRun?: boolean },
    progress?: Progress,
  ) {
    this.#out = streams.out;
    this.#paint = painterFor(streams);
    this.#progress = progress;
    this.#isJson = output === "json";
    this.#dryRun = dryRun;
  }

  /** For one object. */
  readonly report = (applied: AppliedObject): void => {
    this.#all.push(applied);
    if (this.#isJson) return;
    const { object, result, changes } = applied;
    this.#out.write(`${object} ${this.#paint(colours[result], result)}${this.#dryRun ? " (server dry run)" : ""}\n`);
    if (this.#dryRun) this.#out.write(changeLines(changes));
  };

  /** For a step that takes time. */
  readonly step = (text: string): void => {
    if (this.#progress?.isShown) this.#progress.step(text);
    else if (!this.#isJson) this.#out.write(`${text}\n`);
  };

  /** After the last object: counts by result. */
  finish(): void {
    this.#progress?.stop();
    const counts: Partial<Record<AppliedObject["result"], number>> = {};
    for (const { result } of this.#all) counts[result] = (counts[result] ?? 0) + 1;
    if (this.#isJson) {
      this.#out.write(`${JSON.stringify({ dryRun: this.#dryRun, summary: counts, objects: this.#all })}\n`);
      return;
    }
    const summary = Object.entries(counts).map(([result, count]) => `${count} ${result}`);
    this.#out.write(
      `${summary.length === 0 ? "nothing to do" : summary.join(", ")}${this.#dryRun ? " (server dry run)" : ""}\n`,
    );
  }
}
