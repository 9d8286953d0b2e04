import type { CelType, Environment } from "../src/cel/index.js";

import type { JsonObject } from "../src/json/index.js";
import type { Schema } from "../src/schema/index.js";

/** Everything in it is as large as a request may make it, or as awkward. */
export function hostileObject(): JsonObject {
  const texts = Array.from({ length: 2_000 }, (_, index) => `${"ab".repeat(index % 40)}${index}`);
  let nested: JsonObject = { leaf: "x" };
  for (let depth = 0; depth < 200; depth++) nested = { a: nested, b: [depth, "y"] };
  return {
    letters: "a".repeat(500_000),
    unicode: "aé😀".repeat(60_000),
    digits: "9".repeat(200_000),
    short: "a1",
    pattern: "(a?){30}(a|b|ab)*(.*)*c{5,50}[a-z]{0,9}$",
    expansion: "([a-z]{1,30}x?){33}",
    texts,
    long: Array.from({ length: 20 }, (_, index) => "x".repeat(20_000) + index),
    numbers: Array.from({ length: 20_000 }, (_, index) => (index * 7_919) % 10_007),
    map: Object.fromEntries(texts.map((text, index) => [`k${index}`, text])),
    lists: Array.from({ length: 300 }, (_, index) => Array.from({ length: 30 }, (_, inner) => inner * index)),
    nested,
    ratio: 1.1e300,
    count: 1_000,
  };
}

const text: Schema = { type: "string" };
const integer: Schema = { type: "integer" };

/** The schema of {@link hostileObject}. */
export const hostileSchema: Schema = {
  type: "object",
  properties: {
    letters: text,
    unicode: text,
    digits: text,
    short: text,
    pattern: text,
    expansion: text,
    texts: { type: "array", items: text },
    long: { type: "array", items: text },
    numbers: { type: "array", items: integer },
    map: { type: "object", additionalProperties: text },
    lists: { type: "array", items: { type: "array", items: integer } },
    nested: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    ratio: { type: "number" },
    count: integer,
  },
};

/** Expressions of a type without calls, by its name. */
const leaves: Readonly<Record<string, readonly string[]>> = {
  string: [
    "self.letters",
    "self.unicode",
    "self.digits",
    "self.short",
    "self.pattern",
    "self.expansion",
    "'%s %s %s'",
    "'a'",
    "''",
    "'1Ki'",
    "'10.0.0.0/8'",
    "'1h1m'",
    "'(a|aa)+$'",
    "'https://a.example/b?c=d'",
    "self.letters.substring(self.count)",
  ],
  int: ["self.count", "size(self.texts)", "1", "-1", "499999", "9223372036854775807"],
  uint: ["1u", "18446744073709551615u"],
  double: ["self.ratio", "0.1", "5e-324"],
  bool: ["true", "false", "self.letters == self.digits"],
  bytes: ["bytes(self.letters)", "b'abc'", "bytes(self.unicode)"],
  "google.protobuf.Duration": ["duration('1h')"],
  "google.protobuf.Timestamp": ["timestamp('2020-01-01T00:00:00Z')"],
  null_type: ["null"],
  type: ["type(1)"],
};

const lists: Readonly<Record<string, readonly string[]>> = {
  string: [
    "self.texts",
    "self.long",
    "[self.letters, self.letters]",
    "self.letters.split('')",
    "self.texts + self.texts",
  ],
  int: ["self.numbers", "[1, 2]", "lists.range(2000)", "self.numbers + self.numbers"],
  other: [
    "self.texts",
    "self.numbers",
    "self.lists",
    "self.long",
    "[self.lists, self.lists]",
    "[self.nested, self.nested]",
  ],
};
const maps = ["self.map", "{'a': self.texts, 'b': self.lists}", "{1: 2}"];

/** Well-typed expressions, each of which tries to take much longer than its cost says. Deterministic for one `random`. */
export class HostileExpressions {
  readonly #random: () => number;
  readonly #calls: readonly {
    readonly name: string;
    readonly params: readonly CelType[];
    readonly result: CelType;
    readonly isMember: boolean;
  }[];

  constructor({ functions }: Environment, random: () => number) {
    this.#random = random;
    this.#calls = [...functions.values()].flatMap(({ name, overloads }) =>
      overloads.flatMap(({ params, result, isMember }) =>
        // An authorizer takes as long as the API server takes to decide, and is charged for it.
        [result, ...params].some((type) => type.name.startsWith("kubernetes.authorization"))
          ? []
          : [{ name, params, result, isMember }],
      ),
    );
  }

  /** One expression of type bool. The same `index` repeats the function at its centre. */
  next(index: number): string {
    const call = this.#calls[index % this.#calls.length];
    const centre = call === undefined ? "true" : this.#call(call, this.#pick([0, 0, 1]));
    const probe = this.#pick([`type(${centre}) == string`, `dyn(${centre}) == dyn(${centre})`, `[${centre}] == []`]);
    switch (this.#pick([0, 1, 2, 3, 4])) {
      case 0:
        return `self.texts.all(x, self.texts.all(y, ${probe} || true))`;
      case 1:
        return `self.numbers.exists(x, self.numbers.exists(y, ${probe} && false))`;
      case 2:
        return `self.texts.map(x, ${centre}).size() >= 0`;
      case 3:
        return `self.numbers.all(x, self.map.all(k, self.texts.filter(y, ${probe}).size() >= 0))`;
      default:
        return `[${centre}, ${centre}, ${centre}].all(x, self.numbers.all(y, dyn(x) == dyn(${centre}) || true))`;
    }
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)] as T;
  }

  #call(
    {
      name,
      params,
      isMember,
    }: { readonly name: string; readonly params: readonly CelType[]; readonly isMember: boolean },
    depth: number,
  ): string {
    const args = params.map((param) => this.#expression(param, depth));
    const [first = "", second = "", third = ""] = args;
    const operator = /^_(.+)_$/.exec(name)?.[1];
    if (name === "_?_:_") return `(${first} ? ${second} : ${third})`;
    if (name === "_[_]") return `(${first})[${second}]`;
    if (name === "_[?_]") return `(${first})[?${second}]`;
    if (name === "@in") return `(${first} in ${second})`;
    if (name === "_?._") return "self.?short";
    if (name === "!_" || name === "-_") return `${name.charAt(0)}(${first})`;
    if (name.startsWith("@") || operator === "_") return "true";
    if (operator !== undefined) return `(${first} ${operator} ${second})`;
    return isMember ? `(${first}).${name}(${args.slice(1).join(", ")})` : `${name}(${args.join(", ")})`;
  }

  #expression(type: CelType, depth: number): string {
    const made =
      depth > 0 ? this.#calls.filter(({ result }) => result.kind === type.kind && result.name === type.name) : [];
    if (made.length > 0 && this.#random() < 0.6) return this.#call(this.#pick(made), depth - 1);
    const [inner] = type.params;
    if (type.kind === "list") return this.#pick(lists[inner?.name ?? ""] ?? lists["other"] ?? []);
    if (type.kind === "map") return this.#pick(maps);
    if (type.name === "optional_type") return `optional.of(${this.#expression(inner ?? type, 0)})`;
    const known = leaves[type.name];
    if (known !== undefined) return this.#pick(known);
    if (type.kind === "dyn" || type.kind === "param") {
      return this.#pick(["self.letters", "self.texts", "self.nested", "self.lists", "self.count", "self.map"]);
    }
    const makers = this.#calls.filter(
      ({ result, params }) => result.name === type.name && params.every((param) => param.name !== type.name),
    );
    return makers.length === 0 ? "null" : this.#call(this.#pick(makers), 0);
  }
}
