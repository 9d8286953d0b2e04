import { EvalFailure, noSuchOverload } from "../values/eval-failure.js";
import { formatKey } from "../values/format-key.js";
import { LiteralMap, mapKey } from "../values/literal-map.js";
import { typeOf } from "../values/type-of.js";
import { type CelValue, ListValue, MapValue } from "../values/value.js";
import { work } from "../values/work.js";
import type { Activation, Step } from "./activation.js";

/** A loop over a list or the keys of a map, with the slots that its variables have. */
export interface Loop {
  readonly range: Step;
  readonly slot: number;
  /** Of the value beside an index or key; undefined for loops with one variable. */
  readonly slot2: number | undefined;
}

/** Calls `body` for each round until it returns true. */
function run({ range, slot, slot2 }: Loop, activation: Activation, body: () => boolean): void {
  const values = range(activation);
  const { slots } = activation;
  if (values instanceof ListValue) {
    for (let index = 0; index < values.length; index++) {
      slots[slot] = slot2 === undefined ? values.at(index) : index;
      if (slot2 !== undefined) slots[slot2] = values.at(index);
      activation.checkCost();
      work(10);
      if (body()) return;
    }
  } else if (values instanceof MapValue) {
    for (const key of values.keys()) {
      slots[slot] = key;
      if (slot2 !== undefined) slots[slot2] = values.get(key) as CelValue;
      activation.checkCost();
      work(10);
      if (body()) return;
    }
  } else throw new EvalFailure(`got 'types.${goTypeName(values)}', expected iterable type`);
}

/** The name of the Go type that holds a value, which cel-go's message shows. */
function goTypeName(value: CelValue): string {
  const name = typeOf(value).name.replace(/^google\.protobuf\.|_type$/, "");
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/**
 * `all` (decided by false) and `exists` (decided by true). cel-go charges each round for reading the accumulator in the condition and in
 * the step, and for the functions of the condition: 3 for `all`, 4 for `exists`; a round that ends the loop pays for the condition only.
 */
export function quantifier(loop: Loop, predicate: Step, decisive: boolean): Step {
  const conditionCost = decisive ? 3 : 2;
  return (activation) => {
    let failure: EvalFailure | undefined;
    let decided = false;
    run(loop, activation, () => {
      activation.cost += conditionCost;
      if (decided) return true;
      activation.cost += 1;
      try {
        const value = predicate(activation);
        if (value === decisive) decided = true;
        else if (value !== !decisive) failure ??= noSuchOverload();
      } catch (error) {
        if (!(error instanceof EvalFailure)) throw error;
        failure ??= error;
      }
      return false;
    });
    activation.cost += 1;
    if (decided) return decisive;
    if (failure !== undefined) throw failure;
    return !decisive;
  };
}

/** `exists_one`: how often a predicate holds is counted with `+`, and compared with 1. */
export function existsOne(loop: Loop, predicate: Step): Step {
  return (activation) => {
    let count = 0;
    run(loop, activation, () => {
      if (condition(predicate, activation)) {
        activation.cost += 2;
        count++;
      }
      return false;
    });
    activation.cost += 2;
    return count === 1;
  };
}

/** `map`, `filter` and `transformList`. `elementCost` is what making a list of the one element costs. */
export function buildList(loop: Loop, filter: Step | undefined, element: Step, elementCost: number): Step {
  const stepCost = 2 + elementCost;
  return (activation) => {
    const items: CelValue[] = [];
    run(loop, activation, () => {
      if (filter !== undefined && !condition(filter, activation)) return false;
      activation.cost += stepCost;
      items.push(element(activation));
      return false;
    });
    activation.cost += 1;
    return new ListValue(items);
  };
}

/** `transformMap`, whose entries have the key of the round, and `transformMapEntry`, each of whose rounds makes a map. */
export function buildMap(loop: Loop, filter: Step | undefined, value: Step, keyed: boolean): Step {
  return (activation) => {
    const entries = new Map<unknown, readonly [CelValue, CelValue]>();
    const insert = (key: CelValue, entry: CelValue): void => {
      const stored = mapKey(key);
      if (entries.has(stored)) throw new EvalFailure(`insert failed: key ${formatKey(key)} already exists`);
      entries.set(stored, [key, entry]);
    };
    run(loop, activation, () => {
      if (filter !== undefined && !condition(filter, activation)) return false;
      activation.cost += keyed ? 3 : 2;
      const made = value(activation);
      if (keyed) insert(activation.slots[loop.slot] as CelValue, made);
      else if (made instanceof MapValue) for (const key of made.keys()) insert(key, made.get(key) as CelValue);
      else throw noSuchOverload();
      return false;
    });
    activation.cost += 1;
    return new LiteralMap(entries);
  };
}

function condition(step: Step, activation: Activation): boolean {
  const value = step(activation);
  if (typeof value !== "boolean") throw noSuchOverload();
  return value;
}
