import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkHistory } from "./check-history.js";
import type { Operation, Request } from "./operation.js";

/** Operations of key "k" from lines such as `0-2 put a`, `1-? swap a b`, `3-4 get a`, `3-4 swap a b found c`. `-` is the absent value. */
function history(...lines: readonly string[]): readonly Operation[] {
  return lines.map((line, client) => {
    const [, called = "", returned = "", kind, words = ""] = /^(\d+)-(\d+|\?) (get|put|swap) (.*)$/.exec(line) ?? [];
    const [first = "", second = "", , found] = words.split(" ");
    const value = (name: string, text: string): object => (text === "-" ? {} : { [name]: text });
    const end = returned === "?" ? {} : { returnedAtMs: Number(returned) };
    const request = (): Request => {
      if (kind === "get") return { kind };
      if (kind === "put") return { kind, ...value("value", first) };
      return { kind: "swap", ...value("expected", first), ...value("value", second) };
    };
    const outcome = returned === "?" || kind === "put" ? {} : value("found", found ?? first);
    return { client, key: "k", request: request(), calledAtMs: Number(called), ...end, ...outcome };
  });
}

describe("small histories that are known to be linearizable", () => {
  test.each([
    ["nothing happened", []],
    ["a key is absent at first", ["0-1 get -"]],
    ["a get during a put finds the old value or the new one", ["0-1 put a", "2-9 put b", "3-4 get a", "5-6 get b"]],
    ["two puts at the same time happen in either order", ["0-5 put a", "0-5 put b", "6-7 get a"]],
    ["a put whose response was lost happens late", ["0-1 put a", "2-? put b", "3-4 get a", "5-6 get b"]],
    ["a put whose response was lost never happens", ["0-1 put a", "2-? put b", "3-4 get a", "50-60 get a"]],
    ["a swap finds what another one left", ["0-1 put a", "2-9 swap a b", "2-9 swap b c", "10-11 get c"]],
    ["a swap that found another value changes nothing", ["0-1 put a", "2-3 swap x y found a", "4-5 get a"]],
    ["a swap creates an absent key", ["0-1 swap - a", "2-3 get a"]],
    ["a deleted key is absent", ["0-1 put a", "2-3 put -", "4-5 get -"]],
    ["operations that end and begin at the same time overlap", ["0-5 put a", "5-6 get -"]],
  ])("%s", (_, lines) => {
    expect(checkHistory(history(...lines))).toEqual({ kind: "linearizable" });
  });
});

describe("small histories that are known not to be linearizable", () => {
  test.each([
    ["an acknowledged write is lost", ["0-1 put a", "2-3 get -"], "get"],
    ["a read is stale", ["0-1 put a", "2-3 put b", "4-5 get a"], "get"],
    ["a value goes back from new to old", ["0-1 put a", "2-9 put b", "3-4 get b", "5-6 get a"], "get"],
    ["a value was never written", ["0-1 put a", "2-3 get b"], "get"],
    ["two swaps start from one value", ["0-1 put a", "2-9 swap a b", "2-9 swap a c"], "swap"],
    ["a lost put happens twice", ["0-? put a", "1-2 get a", "3-4 put b", "5-6 get b", "7-8 get a"], "get"],
    ["a lost put happens before its call", ["0-1 get a", "2-? put a"], "get"],
    ["a failed swap found a value that was overwritten", ["0-1 put a", "2-3 put b", "4-5 swap x y found a"], "swap"],
    ["a lost swap needs its value", ["0-1 put a", "2-? swap x y", "3-4 get y"], "get"],
  ] as const)("%s", (_, lines, kind) => {
    expect(checkHistory(history(...lines))).toMatchObject({ kind: "violation", operation: { request: { kind } } });
  });
});

test("each key is a register of its own", () => {
  const one = history("0-1 put a", "2-3 get a");
  const other = history("0-1 put b", "2-3 get b").map((operation) => ({ ...operation, key: "other" }));
  expect(checkHistory([...one, ...other])).toEqual({ kind: "linearizable" });
  const wrong = history("0-1 put b", "2-3 get a").map((operation) => ({ ...operation, key: "other" }));
  expect(checkHistory([...one, ...wrong])).toMatchObject({ kind: "violation", key: "other" });
});

test("a violation names the operation, the values before it and what ran at the same time", () => {
  const verdict = checkHistory(history("0-1 put a", "2-9 put b", "3-4 get c"));
  expect(verdict).toMatchObject({
    message: [
      'Not linearizable: get k: found "c" (3.0-4.0 ms, client 2)',
      '  before it the value was "a"',
      '  at the same time: put k = "b" (2.0-9.0 ms, client 1)',
    ].join("\n"),
  });
});

test("an operation that returned before its call is rejected", () => {
  expect(() => checkHistory(history("5-1 put a"))).toThrow("operation 0 returned before its call");
});

test("a search beyond the limit ends undecided", () => {
  // Any of sixteen puts at the same time may precede any other: 2^16 sets of puts, none of which explains the get.
  const puts = Array.from({ length: 16 }, (_, index) => `0-99 put v${index}`);
  const verdict = checkHistory(history(...puts, "98-99 get never"), { maxConfigurations: 10_000 });
  expect(verdict).toMatchObject({ kind: "undecided", key: "k" });
});

test("hundreds of lost responses do not make a check slow", () => {
  const lost = Array.from({ length: 300 }, (_, index) => `${index}-? put lost${index}`);
  const reads = Array.from({ length: 300 }, (_, index) => `${1000 + index * 2}-${1001 + index * 2} get lost${index}`);
  expect(checkHistory(history(...lost, ...reads), { maxConfigurations: 5_000 })).toEqual({ kind: "linearizable" });
});

/** A register that is really atomic, used at random by clients at the same time: its history is linearizable. */
const atomicHistory = fc
  .array(
    fc.record({
      client: fc.nat(4),
      kind: fc.constantFrom("get", "put", "swap", "swapOther"),
      before: fc.nat(20),
      after: fc.nat(20),
      outcome: fc.constantFrom("known", "known", "known", "lost", "lostAndNeverDone"),
    }),
    { minLength: 1, maxLength: 120 },
  )
  .map((steps): Operation[] => {
    let value: string | undefined;
    return steps.flatMap(({ client, kind, before, after, outcome }, index): Operation[] => {
      const atMs = 100 + index * 5; // the moment at which it happens
      const found = value;
      const request = requestOf(kind, found, `v${index}`);
      if (outcome !== "lostAndNeverDone" && (request.kind === "put" || (request.kind === "swap" && kind === "swap")))
        value = request.value;
      const operation = { client, key: "k", request, calledAtMs: atMs - before };
      if (outcome !== "known") return request.kind === "get" ? [] : [operation];
      const isObserved = request.kind !== "put" && found !== undefined;
      return [{ ...operation, returnedAtMs: atMs + after, ...(isObserved && { found }) }];
    });
  });

function requestOf(kind: string, found: string | undefined, value: string): Request {
  if (kind === "get") return { kind };
  if (kind === "put") return { kind, value };
  if (kind === "swapOther") return { kind: "swap", expected: "other", value };
  return { kind: "swap", value, ...(found !== undefined && { expected: found }) };
}

test("every history of an atomic register is accepted", () => {
  fc.assert(
    fc.property(atomicHistory, (operations) => {
      expect(checkHistory(operations)).toEqual({ kind: "linearizable" });
    }),
    { numRuns: 150 },
  );
});

test("a history of an atomic register is rejected once a get finds a value that was never written", () => {
  fc.assert(
    fc.property(atomicHistory, fc.nat(), (operations, chosen) => {
      const gets = operations.filter(({ request }) => request.kind === "get");
      const changed = gets[chosen % gets.length];
      fc.pre(changed !== undefined);
      const mutated = operations.map((each) => (each === changed ? { ...each, found: "never" } : each));
      expect(checkHistory(mutated)).toMatchObject({ kind: "violation", operation: { found: "never" } });
    }),
    { numRuns: 100 },
  );
});

/** Whether an order exists, by trying all of them. */
function isLinearizable(operations: readonly Operation[], value?: string): boolean {
  if (operations.every(({ returnedAtMs }) => returnedAtMs === undefined)) return true;
  const firstReturn = Math.min(...operations.map(({ returnedAtMs = Number.POSITIVE_INFINITY }) => returnedAtMs));
  return operations.some((operation) => {
    if (operation.calledAtMs > firstReturn) return false;
    const rest = operations.filter((other) => other !== operation);
    const { request, found, returnedAtMs } = operation;
    const isKnown = returnedAtMs !== undefined;
    if (isKnown && request.kind !== "put" && found !== value) return false;
    const isWritten = request.kind === "put" || (request.kind === "swap" && request.expected === value);
    return isLinearizable(rest, isWritten ? request.value : value);
  });
}

test("the check agrees with trying all orders, on any small history", () => {
  const value = fc.constantFrom(undefined, "a", "b", "c");
  const optional = (name: string) => value.map((each) => (each === undefined ? {} : { [name]: each }));
  const request: fc.Arbitrary<Request> = fc.oneof(
    fc.constant({ kind: "get" } as const),
    optional("value").map((given) => ({ kind: "put" as const, ...given })),
    fc
      .tuple(optional("expected"), optional("value"))
      .map(([expected, given]) => ({ kind: "swap" as const, ...expected, ...given })),
  );
  const operation = fc
    .record({ request, calledAtMs: fc.nat(12), tookMs: fc.nat(6), found: optional("found"), isLost: fc.boolean() })
    .map(({ request, calledAtMs, tookMs, found, isLost }): Operation => {
      const common = { client: 0, key: "k", request, calledAtMs };
      if (isLost && request.kind !== "get") return common;
      return { ...common, returnedAtMs: calledAtMs + tookMs, ...(request.kind !== "put" && found) };
    });
  const verdicts = { linearizable: 0, violation: 0 };
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 6 }), (operations) => {
      const expected = isLinearizable(operations) ? "linearizable" : "violation";
      verdicts[expected]++;
      expect(checkHistory(operations).kind).toBe(expected);
    }),
    { numRuns: 1_500 },
  );
  // Both occur often enough for the comparison to mean something.
  expect(Math.min(...Object.values(verdicts))).toBeGreaterThan(150);
});
