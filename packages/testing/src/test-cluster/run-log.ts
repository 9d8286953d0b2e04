import type { StageCause, StageDetail } from "kubewright/types";

/** The runs of one object by one controller. */
interface ObjectRuns {
  readonly controller: string;
  /** "Task "default/one"", or the key of a raw controller. */
  readonly object: string;
  count: number;
  lastCauses: readonly StageCause[];
}

/** How many objects and writes a description lists. */
const maxListed = 5;

/** Counts the runs of each object and the writes of the operator, to describe a loop of them. */
export class RunLog {
  readonly #runs = new Map<string, ObjectRuns>();
  readonly #writes = new Map<string, number>();
  #mostRuns = 0;

  /** Counts from zero. */
  restart(): void {
    this.#mostRuns = 0;
    this.#runs.clear();
    this.#writes.clear();
  }

  /** The number of runs of the object that ran most. */
  get mostRuns(): number {
    return this.#mostRuns;
  }

  recordRun({ kind, key, controller = "", causes = [] }: StageDetail): void {
    const id = `${controller} ${key}`;
    let runs = this.#runs.get(id);
    if (runs === undefined) {
      runs = { controller, object: kind === "" ? `"${key}"` : described(kind, key), count: 0, lastCauses: [] };
      this.#runs.set(id, runs);
    }
    runs.count++;
    runs.lastCauses = causes;
    this.#mostRuns = Math.max(this.#mostRuns, runs.count);
  }

  recordWrite(method: string, path: string): void {
    const write = `${method} ${path}`;
    this.#writes.set(write, (this.#writes.get(write) ?? 0) + 1);
  }

  /** The objects that ran more than once, why, what was written, and what to change; undefined without such an object. */
  describeLoop(): string | undefined {
    const repeated = [...this.#runs.values()].filter(({ count }) => count > 1);
    if (repeated.length === 0) return undefined;
    const most = firstOf(repeated, ({ count }) => count);
    const writes = firstOf([...this.#writes], ([, count]) => count);
    return [
      "Runs:",
      ...most.map(
        ({ controller, object, count, lastCauses }) =>
          `  ${count} x controller "${controller}" reconciled ${object}, the last time because of: ${reasons(lastCauses)}`,
      ),
      writes.length === 0 ? "The operator wrote nothing." : "Writes of the operator:",
      ...writes.map(([write, count]) => `  ${count} x ${write}`),
      "What to change:",
      ...new Set(most.flatMap(({ lastCauses }) => lastCauses.map((cause) => `  ${remedy(cause)}`))),
    ].join("\n");
  }
}

/** The largest items, largest first. */
function firstOf<T>(items: readonly T[], countOf: (item: T) => number): readonly T[] {
  return items.toSorted((a, b) => countOf(b) - countOf(a)).slice(0, maxListed);
}

/** `Task "default/one"`. */
function described(kind: string, key: string): string {
  return `${kind.slice(kind.lastIndexOf("/") + 1)} "${key}"`;
}

function reasons(causes: readonly StageCause[]): string {
  return [...new Set(causes.map(reason))].join(", ");
}

function reason({ source, kind, namespace = "", name = "", change, changedPaths = [] }: StageCause): string {
  if (kind === undefined) return `"${source}"`;
  const at = changedPaths.length === 0 ? "" : ` at ${changedPaths.join(", ")}`;
  const read = source === "reads" ? ", which it has read," : "";
  return `${described(kind, namespace === "" ? name : `${namespace}/${name}`)}${read} was ${change}${at}`;
}

function remedy({ source }: StageCause): string {
  switch (source) {
    case "for":
      return "A run changes its own object, which triggers the next run. Write only values that follow from the spec and the observed state: no time, counter or random value. Or reconcile only on changes of the spec: `when: generationChanged`.";
    case "owns":
    case "manages":
    case "watches":
      return "A run changes an object that it owns or watches, or something else changes it back, which triggers the next run. Apply the same value in each run, and leave fields alone that another controller sets.";
    case "reads":
      return "A run changes an object that it has read, which triggers the next run after a growing delay. Write the same value in each run, or declare the kind `untracked`.";
    case "requeue":
      return "A run returns a short `requeueAfter`. Wait for a change with `watches`, or return a longer time.";
    case "retry":
      return "The run fails: see `cluster.running.failing()`.";
    default:
      return `The source "${source}" never rests: let it emit less often.`;
  }
}
