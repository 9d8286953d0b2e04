import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import type { Chooser } from "./chooser.js";
import { resolved } from "./kind-schema.js";

/** Texts and numbers that good objects have, by the name of the field that holds them. */
export type Vocabulary = ReadonlyMap<string, readonly (string | number)[]>;

const texts = ["", "UPPER", "a/b", "two words", "Odd", "-x", "a.b", "1", "é", "x".repeat(64), "y".repeat(300), "a_b"];
const numbers = [0, -1, 1, 2, 100, 65_536, 1_000_000_000];
const amounts = ["0", "1", "-1", "100m", "1.5Gi", "1e3", "0.0001", "1Ki", "1E", "5", "10Gi", 3, "1u", "0.5"];
const times = ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.123456Z", "2026-01-01T02:00:00+02:00"];
const mixed = [0, 1, -1, 80, "http", "10%", "150%", "-5%", "x", ""];
const bytes = ["aGk=", "eA=="];
const keys = ["bad key", "a/b/c", "", "UPPER.x/y", "-x", "ok", "example.com/ok", "cpu", "storage", "x".repeat(64)];

/** What a decoder refuses, by what is wanted. */
const undecodable = { number: [2_147_483_648, 1.5, "text"], amount: ["x", ""], time: ["2026-01-01", ""], text: [5] };

/** Fields that are not drawn: templates have no such containers, and a real server drops the others unless it is told to have them. */
const undrawn: ReadonlySet<string> = new Set([
  "apiVersion",
  "kind",
  "metadata",
  "status",
  "ephemeralContainers",
  "stopSignal",
  "clusterTrustBundle",
  "podCertificate",
  "schedulingGroup",
  // Written in CEL.
  "matchConditions",
]);

/** Draws values that fit a schema by their types, if not by the rules of the kind. */
export class ValueMaker {
  readonly #choose: Chooser;
  readonly #vocabulary: Vocabulary;

  constructor(choose: Chooser, vocabulary: Vocabulary) {
    this.#choose = choose;
    this.#vocabulary = vocabulary;
  }

  /** A value for the field of this name. */
  value(schema: JsonObject, key: string, depth = 0): JsonValue {
    const choose = this.#choose;
    const name = String(schema["$name"] ?? "");
    if (name.endsWith(".Quantity")) return choose.of(amounts);
    if (name.endsWith(".MicroTime")) return "2026-01-01T00:00:00.123456Z";
    if (schema["format"] === "date-time") return choose.of(times);
    if (schema["format"] === "int-or-string") return choose.of<JsonValue>(mixed);
    if (schema["format"] === "byte") return choose.of(bytes);
    const kinds = Array.isArray(schema["enum"]) ? (schema["enum"] as readonly JsonValue[]) : [];
    if (kinds.length > 0 && choose.chance(75)) return choose.of(kinds);
    switch (schema["type"]) {
      case "boolean":
        return choose.chance(50);
      case "integer":
      case "number":
        return this.#word(key, "number", 30) ?? choose.of(numbers);
      case "array":
        return Array.from({ length: choose.of([1, 1, 1, 2]) }, () =>
          this.value(resolved(schema["items"]), key, depth + 1),
        );
      case "object":
        return this.#object(schema, depth);
      default:
        return this.#word(key, "string", 60) ?? choose.of(texts);
    }
  }

  /**
   * A value that no decoder takes for such a field. Of several in one request a real server tells of one by chance, so that others than
   * this are not made.
   */
  undecodable(schema: JsonObject): JsonValue {
    const name = String(schema["$name"] ?? "");
    if (name.endsWith(".Quantity")) return this.#choose.of(undecodable.amount);
    if (schema["format"] === "date-time") return this.#choose.of(undecodable.time);
    return this.#choose.of<JsonValue>(schema["type"] === "integer" ? undecodable.number : undecodable.text);
  }

  /** The fields of a struct that may be drawn. */
  fields(schema: JsonObject): string[] {
    const properties = schema["properties"];
    return isJsonObject(properties) ? Object.keys(properties).filter((key) => !undrawn.has(key)) : [];
  }

  /** A key of a map, good or bad. */
  key(): string {
    return this.#choose.of(keys);
  }

  #word(key: string, type: "string" | "number", percent: number): JsonValue | undefined {
    const words = (this.#vocabulary.get(key) ?? []).filter((word) => typeof word === type);
    return words.length > 0 && this.#choose.chance(percent) ? this.#choose.of(words) : undefined;
  }

  #object(schema: JsonObject, depth: number): JsonObject {
    const properties = schema["properties"];
    if (!isJsonObject(properties)) {
      const entry = resolved(schema["additionalProperties"]);
      const names = [this.key(), ...this.#choose.some(keys, 1)];
      return Object.fromEntries(names.map((one) => [one, this.value(entry, "", depth + 1)]));
    }
    if (depth > 4) return {};
    const required = Array.isArray(schema["required"]) ? (schema["required"] as readonly string[]) : [];
    const optional = depth === 0 ? 45 : 30;
    const names = this.fields(schema).filter((one) => this.#choose.chance(required.includes(one) ? 92 : optional));
    return Object.fromEntries(names.map((one) => [one, this.value(resolved(properties[one]), one, depth + 1)]));
  }
}

/** The vocabulary of objects. */
export function vocabularyOf(objects: readonly JsonObject[]): Vocabulary {
  const words = new Map<string, Set<string | number>>();
  const walk = (value: JsonValue, key: string): void => {
    if (Array.isArray(value)) for (const item of value as readonly JsonValue[]) walk(item, key);
    else if (isJsonObject(value)) for (const [name, inner] of Object.entries(value)) walk(inner, name);
    else if (typeof value === "string" || typeof value === "number")
      words.set(key, (words.get(key) ?? new Set()).add(value));
  };
  for (const object of objects) walk(object, "");
  return new Map([...words].map(([key, values]) => [key, [...values]]));
}
