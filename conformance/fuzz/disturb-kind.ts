import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import type { Chooser } from "./chooser.js";
import { placesOf, valueAt, withValueAt } from "./disturb.js";
import { resolved, schemaBelow } from "./kind-schema.js";
import { ValueMaker, type Vocabulary } from "./value-maker.js";

/** What an object is disturbed with. */
export interface Disturbance {
  /** That of its kind. */
  readonly schema: JsonObject;
  /** Objects of the same kind, to take values from. */
  readonly others: readonly JsonObject[];
  readonly vocabulary: Vocabulary;
  /** Whether empty lists are left out. */
  readonly seesEmpty: boolean;
}

/** An object with something changed, and where. */
export interface Disturbed {
  readonly object: JsonObject;
  readonly place: readonly string[];
}

/** Changes one thing of an object at a time. Metadata stay: other requests are about those. */
export class Disturber {
  readonly #choose: Chooser;
  readonly #given: Disturbance;
  readonly #maker: ValueMaker;
  #hasUndecodable = false;

  constructor(choose: Chooser, given: Disturbance) {
    this.#choose = choose;
    this.#given = given;
    this.#maker = new ValueMaker(choose, given.vocabulary);
  }

  /** The object with one thing another, or at times two. At most one of them is nothing that a decoder takes. */
  disturb(object: JsonObject): Disturbed {
    this.#hasUndecodable = false;
    const once = this.#once(object);
    return this.#choose.chance(25) ? this.#once(once.object) : once;
  }

  #once(object: JsonObject): Disturbed {
    const choose = this.#choose;
    const places = placesOf(object).filter(([first]) => !["apiVersion", "kind", "metadata"].includes(first ?? ""));
    if (places.length === 0 || choose.chance(10)) return this.#added(object, []);
    // Deep places are many: each depth gets its share.
    const depth = choose.of([...new Set(places.map((place) => place.length))]);
    const place = choose.of(choose.chance(40) ? places.filter((one) => one.length === depth) : places);
    const value = valueAt(object, place) ?? null;
    if (choose.chance(18)) return { object: withValueAt(object, place, undefined), place };
    if (choose.chance(12)) {
      const other = valueAt(choose.of(this.#given.others), place);
      if (other !== undefined) return { object: withValueAt(object, place, other), place };
    }
    if (choose.chance(4)) return { object: withValueAt(object, place, null), place };
    if (isJsonObject(value) && choose.chance(75)) return this.#added(object, place);
    return { object: withValueAt(object, place, this.#another(value, place)), place };
  }

  /** The object with a field of its schema, or an entry of a map, more at a place. */
  #added(object: JsonObject, place: readonly string[]): Disturbed {
    const schema = schemaBelow(this.#given.schema, place);
    const holder = place.length === 0 ? object : valueAt(object, place);
    if (!isJsonObject(holder)) return { object, place };
    const properties = schema["properties"];
    if (!isJsonObject(properties)) {
      const inner = [...place, this.#maker.key()];
      const entry = resolved(schema["additionalProperties"]);
      return { object: withValueAt(object, inner, this.#maker.value(entry, "")), place: inner };
    }
    const all = this.#maker.fields(schema);
    const missing = all.filter((key) => !Object.hasOwn(holder, key));
    if (all.length === 0) return { object, place };
    const key = this.#choose.of(missing.length > 0 ? missing : all);
    const inner = [...place, key];
    return { object: withValueAt(object, inner, this.#maker.value(resolved(properties[key]), key)), place: inner };
  }

  #another(value: JsonValue, place: readonly string[]): JsonValue {
    const choose = this.#choose;
    const { seesEmpty } = this.#given;
    const key = place.at(-1) ?? "";
    const schema = schemaBelow(this.#given.schema, place);
    if (Array.isArray(value)) {
      const list = value as readonly JsonValue[];
      const made = (): JsonValue => this.#maker.value(resolved(schema["items"]), key);
      return choose.of<() => JsonValue>([
        () => (seesEmpty ? list : []),
        () => [...list, list[0] ?? null],
        () => [...list].reverse(),
        () => [...list, made()],
        () => [made()],
      ])();
    }
    const isOdd = choose.chance(isJsonObject(value) ? 50 : 6) && !this.#hasUndecodable;
    if (isOdd) this.#hasUndecodable = true;
    const isMap = schema["properties"] === undefined;
    if (isJsonObject(value)) return isOdd ? choose.of<JsonValue>(["text", []]) : isMap && seesEmpty ? value : {};
    const typed = { type: typeof value === "number" ? "integer" : typeof value, ...schema };
    return isOdd ? this.#maker.undecodable(typed) : this.#maker.value(typed, key);
  }
}
