import { type Configuration, ConfigurationSet } from "./configuration-set.js";
import { describeOperation, type Operation } from "./operation.js";

/** The result of a check. `undecided`: the limit was reached before there was an answer. */
export type Verdict =
  | { readonly kind: "linearizable" }
  | { readonly kind: "violation"; readonly key: string; readonly operation: Operation; readonly message: string }
  | { readonly kind: "undecided"; readonly key: string; readonly message: string };

/** Limits of a check. */
export interface CheckLimits {
  /** Configurations that are tried for one key, which bounds time and memory. @default 1_000_000 */
  readonly maxConfigurations?: number;
}

/**
 * Whether a history is linearizable: each operation can have happened at one moment between its call and its return, so that all results are
 * those of one register for each key, absent at first.
 *
 * Linearizability is local, so each key is checked alone, by "just-in-time linearization" (Lowe, "Testing for linearizability"): it goes through
 * calls and returns in the order of time, and keeps each configuration that explains what has returned. Write unique values: with equal ones the
 * check is still correct, but finds less.
 */
export function checkHistory(
  history: readonly Operation[],
  { maxConfigurations = 1_000_000 }: CheckLimits = {},
): Verdict {
  const byKey = new Map<string, Operation[]>();
  for (const operation of history) {
    const operations = byKey.get(operation.key);
    if (operations) operations.push(operation);
    else byKey.set(operation.key, [operation]);
  }
  let undecided: Verdict | undefined;
  for (const [key, operations] of byKey) {
    const verdict = new RegisterCheck(key, operations, maxConfigurations).run();
    if (verdict.kind === "violation") return verdict;
    if (verdict.kind === "undecided") undecided ??= verdict;
  }
  return undecided ?? { kind: "linearizable" };
}

/** The check of one key. */
class RegisterCheck {
  readonly #key: string;
  readonly #operations: readonly Operation[];
  readonly #maxConfigurations: number;
  /** Called and not returned; those with an unknown outcome stay. */
  readonly #pending = new Map<number, Operation>();
  #configurations: readonly Configuration[] = [{ value: undefined, done: new Set(), spent: new Set() }];
  #tried = 0;

  constructor(key: string, operations: readonly Operation[], maxConfigurations: number) {
    this.#key = key;
    this.#operations = operations;
    this.#maxConfigurations = maxConfigurations;
  }

  run(): Verdict {
    for (const { index, isReturn } of eventsOf(this.#operations)) {
      const operation = this.#operations[index];
      if (operation === undefined) continue;
      if (!isReturn) {
        this.#pending.set(index, operation);
        this.#configurations = this.#configurations.map((configuration) => this.#withReads(configuration));
        continue;
      }
      const next = this.#explain(index);
      if (next === "limit") return this.#undecided();
      if (next.length === 0) return this.#violation(operation);
      this.#pending.delete(index);
      this.#configurations = next.map((each) => ({ ...each, done: without(each.done, index) }));
    }
    return { kind: "linearizable" };
  }

  /** The configurations in which an operation has happened, reached by as few other operations as possible. */
  #explain(target: number): readonly Configuration[] | "limit" {
    const explained = new ConfigurationSet();
    const seen = new ConfigurationSet();
    const open = [...this.#configurations];
    const useful = this.#usefulWrites();
    for (let configuration = open.pop(); configuration; configuration = open.pop()) {
      if (configuration.done.has(target)) {
        explained.add(configuration);
        continue;
      }
      for (const [index, operation] of useful) {
        const next = afterWrite(configuration, index, operation);
        if (next === undefined) continue;
        if (++this.#tried > this.#maxConfigurations) return "limit";
        const read = this.#withReads(next);
        if (seen.add(read)) open.push(read);
      }
    }
    return explained.values();
  }

  /**
   * Pending writes, without those with an unknown outcome whose value no pending operation has found or expects: leaving one out explains as much,
   * and if a later operation finds its value, it can happen then.
   */
  #usefulWrites(): readonly (readonly [number, Operation])[] {
    const pending = [...this.#pending];
    const observed = new Set<string | undefined>();
    for (const [, { request, returnedAtMs, found }] of pending) {
      if (request.kind !== "put" && returnedAtMs !== undefined) observed.add(found);
      if (request.kind === "swap") observed.add(request.expected);
    }
    return pending.filter(
      ([, { request, returnedAtMs }]) =>
        request.kind !== "get" && (returnedAtMs !== undefined || observed.has(request.value)),
    );
  }

  /** Lets all pending reads happen that find the present value. That excludes nothing, because they change nothing. */
  #withReads(configuration: Configuration): Configuration {
    const reads = [...this.#pending].flatMap(([index, operation]) =>
      operation.returnedAtMs !== undefined &&
      operation.found === configuration.value &&
      isRead(operation) &&
      !configuration.done.has(index)
        ? [index]
        : [],
    );
    return reads.length === 0 ? configuration : { ...configuration, done: new Set([...configuration.done, ...reads]) };
  }

  #violation(operation: Operation): Verdict {
    const values = new Set(this.#configurations.map(({ value }) => JSON.stringify(value) ?? "absent"));
    const others = [...this.#pending.values()].filter((other) => other !== operation).slice(-10);
    const message = [
      `Not linearizable: ${describeOperation(operation)}`,
      `  before it the value was ${[...values].slice(0, 10).join(" or ")}`,
      ...others.map((other) => `  at the same time: ${describeOperation(other)}`),
    ].join("\n");
    return { kind: "violation", key: this.#key, operation, message };
  }

  #undecided(): Verdict {
    const message = `Cannot decide whether the ${this.#operations.length} operations of key "${this.#key}" are linearizable: more than ${this.#maxConfigurations} configurations`;
    return { kind: "undecided", key: this.#key, message };
  }
}

interface HistoryEvent {
  readonly index: number;
  readonly atMs: number;
  readonly isReturn: boolean;
}

/** Calls and returns in the order of time. At the same time calls come first: such operations overlap. */
function eventsOf(operations: readonly Operation[]): readonly HistoryEvent[] {
  const events = operations.flatMap(({ calledAtMs, returnedAtMs, request }, index): HistoryEvent[] => {
    if (returnedAtMs !== undefined && returnedAtMs < calledAtMs)
      throw new RangeError(`Cannot check a history: operation ${index} returned before its call`);
    if (returnedAtMs === undefined) return request.kind === "get" ? [] : [{ index, atMs: calledAtMs, isReturn: false }];
    return [
      { index, atMs: calledAtMs, isReturn: false },
      { index, atMs: returnedAtMs, isReturn: true },
    ];
  });
  return events.sort((one, other) => one.atMs - other.atMs || Number(one.isReturn) - Number(other.isReturn));
}

/** Whether a completed operation has changed nothing: a get, or a swap that found another value. */
function isRead({ request, found }: Operation): boolean {
  return request.kind === "get" || (request.kind === "swap" && request.expected !== found);
}

/** The configuration after a write; undefined if the write cannot happen now, or has happened. */
function afterWrite(configuration: Configuration, index: number, operation: Operation): Configuration | undefined {
  const { request, returnedAtMs } = operation;
  const { value, done, spent } = configuration;
  if (request.kind === "get" || done.has(index) || spent.has(index)) return undefined;
  if (request.kind === "swap" && request.expected !== value) return undefined;
  if (returnedAtMs === undefined) return { value: request.value, done, spent: new Set([...spent, index]) };
  if (isRead(operation)) return undefined;
  return { value: request.value, done: new Set([...done, index]), spent };
}

function without(set: ReadonlySet<number>, item: number): ReadonlySet<number> {
  const rest = new Set(set);
  rest.delete(item);
  return rest;
}
