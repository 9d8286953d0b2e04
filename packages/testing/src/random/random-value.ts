import { deepEqual, getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from "@kubewright/core/json";
import type { Schema } from "@kubewright/core/schema";
import { between, pick, type Random } from "./random.js";
import { randomNumber } from "./random-number.js";
import { randomString } from "./random-string.js";
import { mergedBranch } from "./schema-branch.js";

/** How random values are generated. */
export interface RandomValueOptions {
  /** Share of places that get a possibly invalid value: another type, a value out of bounds, an unknown field. @default 0 */
  readonly wrongShare?: number;
  /** Approximate limit of nested values; optional fields are omitted beyond it. @default 200 */
  readonly maxValues?: number;
}

/** Values that fit few schemas. */
const oddValues: readonly JsonValue[] = [
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
 * A random value that fits a structural schema: all required and some optional fields, values at bounds, strings for patterns and formats,
 * one branch of each union.
 *
 * CEL rules are not evaluated. The value does not fit when no string is found for a pattern: validate it where that matters.
 */
export function randomValue(schema: Schema, random: () => number, options: RandomValueOptions = {}): JsonValue {
  return new RandomValue(random, options).make(schema, 0) ?? null;
}

class RandomValue {
  readonly #random: Random;
  readonly #wrongShare: number;
  #left: number;

  constructor(random: Random, { wrongShare = 0, maxValues = 200 }: RandomValueOptions) {
    this.#random = random;
    this.#wrongShare = wrongShare;
    this.#left = maxValues;
  }

  /** Undefined when no valid value is found. */
  make(whole: Schema, depth: number): JsonValue | undefined {
    this.#left--;
    const random = this.#random;
    if (depth > 0 && this.#isWrong()) return pick(oddValues, random);
    const schema = mergedBranch(whole, random);
    if (schema.default !== undefined && random() < 0.2) return schema.default;
    if (schema.nullable === true && random() < 0.1) return null;
    if (schema.enum !== undefined) return pick(schema.enum, random);
    if (schema["x-kubernetes-int-or-string"] === true)
      return random() < 0.5 && schema.type !== "string" && schema.pattern === undefined
        ? randomNumber({ ...schema, type: "integer" }, random)
        : randomString(schema, random);
    switch (schema.type) {
      case "object":
        return this.#object(schema, depth);
      case "array":
        return this.#array(schema, depth);
      case "integer":
      case "number":
        return randomNumber(schema, random);
      case "boolean":
        return random() < 0.5;
      case "string":
        return randomString(schema, random);
      default:
        return schema.properties ? this.#object(schema, depth) : pick(["a", 1, true, { a: [1] }], random);
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
      if (isRequired ? this.#isWrong() : this.#random() >= share) continue;
      const value = this.make(field, depth + 1);
      if (value !== undefined) setOwn(made, name, value);
      else if (isRequired) return undefined;
    }
    for (const name of schema.required ?? [])
      if (getOwn(made, name) === undefined && getOwn(schema.properties ?? {}, name) === undefined)
        setOwn(made, name, "a");
    this.#addKeys(made, schema, depth);
    if (this.#isWrong()) made["unknownField"] = 1;
    return made;
  }

  /** Adds keys that `properties` does not name. */
  #addKeys(made: Record<string, JsonValue>, schema: Schema, depth: number): void {
    const { additionalProperties: values, minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema;
    const isOpen = schema["x-kubernetes-preserve-unknown-fields"] === true || values === true;
    if (typeof values !== "object" && !isOpen) return;
    const size = Math.min(
      maxProperties,
      Math.max(minProperties, Object.keys(made).length + between(0, this.#left > 0 ? 2 : 0, this.#random)),
    );
    for (let index = 0; Object.keys(made).length < size && index < size + 4; index++) {
      const value = typeof values === "object" ? this.make(values, depth + 1) : pick(oddValues, this.#random);
      if (value !== undefined) setOwn(made, `key-${index}`, value);
    }
  }

  #array(schema: Schema, depth: number): JsonValue {
    const { items = {}, minItems = 0, maxItems = minItems + 2 } = schema;
    const count = between(minItems, this.#left > 0 ? Math.min(maxItems, minItems + 2) : minItems, this.#random);
    const made: JsonValue[] = [];
    for (let attempt = 0; made.length < count && attempt < count + 8; attempt++) {
      const value = this.make(items, depth + 1);
      if (value !== undefined && (this.#isWrong() || !made.some((other) => this.#isDuplicate(schema, value, other))))
        made.push(value);
    }
    return made;
  }

  #isDuplicate(schema: Schema, value: JsonValue, other: JsonValue): boolean {
    const keys = schema["x-kubernetes-list-map-keys"];
    if (keys && isJsonObject(value) && isJsonObject(other)) {
      const keyed = (item: JsonObject): JsonValue =>
        keys.map((key) => getOwn(item, key) ?? schema.items?.properties?.[key]?.default ?? null);
      return deepEqual(keyed(value), keyed(other));
    }
    return (schema["x-kubernetes-list-type"] === "set" || schema.uniqueItems === true) && deepEqual(value, other);
  }

  #isWrong(): boolean {
    return this.#wrongShare > 0 && this.#random() < this.#wrongShare;
  }
}
