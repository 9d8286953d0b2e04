import { deepEqual, getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from "@kubewright/core/json";
import type { Schema } from "@kubewright/core/schema";
import { between, type Chance, pick } from "./chance.js";
import { randomNumber } from "./random-number.js";
import { randomText } from "./random-text.js";
import { mergedBranch } from "./schema-branch.js";

/** How random values are made. */
export interface RandomValueOptions {
  /** The share of places where a value is put that may not fit: another type, a bound overstepped, a field too many. @default 0 */
  readonly wrongShare?: number;
  /** How many values a value is made of at most, roughly; optional fields are left out after that. @default 200 */
  readonly maxValues?: number;
}

/** What belongs nowhere in particular. */
const oddities: readonly JsonValue[] = [
  null,
  "",
  "a",
  "A-b_c",
  "5Gi",
  "30s",
  0,
  1,
  -1,
  0.5,
  2 ** 40,
  true,
  [],
  ["a", "a"],
  {},
  { a: "b" },
  [{ name: "a" }, { name: "a" }],
];

/**
 * A value by chance that fits a structural schema: what is required, some of what is optional, values at bounds, texts that patterns and
 * formats ask for, one branch of each union.
 *
 * Rules in CEL are not looked at, and of a schema that demands what is not known how to make (a pattern that nothing is found for) the
 * value does not fit: check it where that matters.
 */
export function randomValue(schema: Schema, random: () => number, options: RandomValueOptions = {}): JsonValue {
  return new RandomValue(random, options).make(schema, 0) ?? null;
}

class RandomValue {
  readonly #chance: Chance;
  readonly #wrongShare: number;
  #left: number;

  constructor(chance: Chance, { wrongShare = 0, maxValues = 200 }: RandomValueOptions) {
    this.#chance = chance;
    this.#wrongShare = wrongShare;
    this.#left = maxValues;
  }

  /** Undefined where no value is known that fits. */
  make(whole: Schema, depth: number): JsonValue | undefined {
    this.#left--;
    const chance = this.#chance;
    if (depth > 0 && this.#goesWrong()) return pick(oddities, chance);
    const schema = mergedBranch(whole, chance);
    if (schema.default !== undefined && chance() < 0.2) return schema.default;
    if (schema.nullable === true && chance() < 0.1) return null;
    if (schema.enum !== undefined) return pick(schema.enum, chance);
    if (schema["x-kubernetes-int-or-string"] === true)
      return chance() < 0.5 && schema.type !== "string" && schema.pattern === undefined
        ? randomNumber({ ...schema, type: "integer" }, chance)
        : randomText(schema, chance);
    switch (schema.type) {
      case "object":
        return this.#object(schema, depth);
      case "array":
        return this.#array(schema, depth);
      case "integer":
      case "number":
        return randomNumber(schema, chance);
      case "boolean":
        return chance() < 0.5;
      case "string":
        return randomText(schema, chance);
      default:
        return schema.properties ? this.#object(schema, depth) : pick(["a", 1, true, { a: [1] }], chance);
    }
  }

  #object(schema: Schema, depth: number): JsonValue | undefined {
    const made: Record<string, JsonValue> =
      schema["x-kubernetes-embedded-resource"] === true
        ? { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } }
        : {};
    const fields = Object.entries(schema.properties ?? {});
    const share = this.#left <= 0 ? 0 : Math.min(0.6, 8 / fields.length / (1 + depth / 2));
    for (const [name, field] of fields) {
      const isRequired = schema.required?.includes(name) === true;
      if (isRequired ? this.#goesWrong() : this.#chance() >= share) continue;
      const value = this.make(field, depth + 1);
      if (value !== undefined) setOwn(made, name, value);
      else if (isRequired) return undefined;
    }
    for (const name of schema.required ?? [])
      if (getOwn(made, name) === undefined && getOwn(schema.properties ?? {}, name) === undefined)
        setOwn(made, name, "a");
    this.#addKeys(made, schema, depth);
    if (this.#goesWrong()) made["unknownField"] = 1;
    return made;
  }

  /** Keys that the schema does not name. */
  #addKeys(made: Record<string, JsonValue>, schema: Schema, depth: number): void {
    const { additionalProperties: values, minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema;
    const isOpen = schema["x-kubernetes-preserve-unknown-fields"] === true || values === true;
    if (typeof values !== "object" && !isOpen) return;
    const wanted = Math.min(
      maxProperties,
      Math.max(minProperties, Object.keys(made).length + between(0, this.#left > 0 ? 2 : 0, this.#chance)),
    );
    for (let index = 0; Object.keys(made).length < wanted && index < wanted + 4; index++) {
      const value = typeof values === "object" ? this.make(values, depth + 1) : pick(oddities, this.#chance);
      if (value !== undefined) setOwn(made, `key-${index}`, value);
    }
  }

  #array(schema: Schema, depth: number): JsonValue {
    const { items = {}, minItems = 0, maxItems = minItems + 2 } = schema;
    const count = between(minItems, this.#left > 0 ? Math.min(maxItems, minItems + 2) : minItems, this.#chance);
    const made: JsonValue[] = [];
    for (let attempt = 0; made.length < count && attempt < count + 8; attempt++) {
      const value = this.make(items, depth + 1);
      if (value !== undefined && (this.#goesWrong() || !made.some((other) => this.#clash(schema, value, other))))
        made.push(value);
    }
    return made;
  }

  #clash(schema: Schema, value: JsonValue, other: JsonValue): boolean {
    const keys = schema["x-kubernetes-list-map-keys"];
    if (keys && isJsonObject(value) && isJsonObject(other)) {
      const keyed = (item: JsonObject): JsonValue =>
        keys.map((key) => getOwn(item, key) ?? schema.items?.properties?.[key]?.default ?? null);
      return deepEqual(keyed(value), keyed(other));
    }
    return (schema["x-kubernetes-list-type"] === "set" || schema.uniqueItems === true) && deepEqual(value, other);
  }

  #goesWrong(): boolean {
    return this.#wrongShare > 0 && this.#chance() < this.#wrongShare;
  }
}
