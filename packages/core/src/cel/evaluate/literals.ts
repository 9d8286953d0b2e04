import type { CelType } from "../types/cel-type.js";
import { EvalFailure } from "../values/eval-failure.js";
import { formatKey } from "../values/format-key.js";
import { LiteralMap, mapKey } from "../values/literal-map.js";
import { StructValue } from "../values/struct-value.js";
import { typeOf } from "../values/type-of.js";
import { type CelValue, DoubleValue, ListValue, OptionalValue, UintValue } from "../values/value.js";
import type { Step } from "./activation.js";

/** What the making of lists, maps and objects costs beside their parts. */
const listCost = 10;
const mapCost = 30;
const structCost = 40;

export function listStep(elements: readonly Step[], optional: ReadonlySet<number>): Step {
  return (activation) => {
    activation.cost += listCost;
    const items: CelValue[] = [];
    for (let index = 0; index < elements.length; index++) {
      const value = (elements[index] as Step)(activation);
      if (!optional.has(index)) items.push(value);
      else if (!(value instanceof OptionalValue)) {
        throw new EvalFailure(`cannot initialize optional list element from non-optional value ${formatKey(value)}`);
      } else if (value.value !== undefined) items.push(value.value);
    }
    return new ListValue(items);
  };
}

/** `parts` alternate between keys and values. */
export function mapStep(parts: readonly Step[], optional: ReadonlySet<number>): Step {
  return (activation) => {
    activation.cost += mapCost;
    const entries = new Map<unknown, readonly [CelValue, CelValue]>();
    for (let index = 0; index * 2 < parts.length; index++) {
      const key = (parts[index * 2] as Step)(activation);
      let value = (parts[index * 2 + 1] as Step)(activation);
      if (!isKey(key)) throw new EvalFailure(`unsupported key type: ${typeOf(key).name}`);
      const stored = mapKey(key);
      if (optional.has(index)) {
        if (!(value instanceof OptionalValue)) {
          throw new EvalFailure(
            `cannot initialize optional entry '${formatKey(key)}' from non-optional value ${formatKey(value)}`,
          );
        }
        if (value.value === undefined) {
          entries.delete(stored);
          continue;
        }
        value = value.value;
      }
      entries.set(stored, [key, value]);
    }
    return new LiteralMap(entries);
  };
}

function isKey(key: CelValue): boolean {
  return (
    ["string", "boolean", "number", "bigint"].includes(typeof key) ||
    key instanceof UintValue ||
    key instanceof DoubleValue
  );
}

export interface FieldStep {
  readonly name: string;
  readonly value: Step;
  readonly optional: boolean;
}

export function structStep(type: CelType, fields: readonly FieldStep[]): Step {
  return (activation) => {
    activation.cost += structCost;
    const values = new Map<string, CelValue>();
    for (const { name, value, optional } of fields) {
      const given = value(activation);
      if (!optional) values.set(name, given);
      else if (given instanceof OptionalValue && given.value !== undefined) values.set(name, given.value);
    }
    return new StructValue(type, values);
  };
}
