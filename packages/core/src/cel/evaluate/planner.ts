import type { Checked, Variable } from "../check/checked.js";
import type { Environment } from "../check/environment.js";
import type { CallCost } from "../check/overload.js";
import { pattern } from "../library/patterns.js";
import type { CallExpr, ComprehensionExpr, Expr, ListExpr, MapExpr, SelectExpr, StructExpr } from "../syntax/expr.js";
import { noSuchOverload } from "../values/eval-failure.js";
import { has, select, selectOptional } from "../values/select.js";
import { type CelValue, OptionalValue, TypeValue } from "../values/value.js";
import { Activation, type Step } from "./activation.js";
import { callStep } from "./call.js";
import { listStep, mapStep, structStep } from "./literals.js";
import { logic } from "./logic.js";
import { buildList, buildMap, existsOne, type Loop, quantifier } from "./loops.js";
import { callCost, foldsConstants, matchStep, memberOfConstants, operatorStep } from "./operators-plan.js";
import { type Attribute, attributeOf, type Plan, stepOf } from "./plan.js";

/** Turns a checked expression into steps: once, before any evaluation. */
export class Planner {
  readonly #checked: Checked;
  readonly #environment: Environment;
  readonly #slots = new Map<Variable, number>();
  /** Variables that hold what an expression gives, evaluated when they are first read. */
  readonly #lazy = new Map<Variable, Step>();

  constructor(checked: Checked, environment: Environment) {
    this.#checked = checked;
    this.#environment = environment;
  }

  /** How many slots an activation needs. */
  get size(): number {
    return this.#slots.size;
  }

  /** The variables of the environment that are read, with their slots. */
  get inputs(): readonly (readonly [string, number])[] {
    return [...this.#slots].flatMap(([{ name, isGlobal }, slot]) => (isGlobal ? [[name, slot] as const] : []));
  }

  plan(expr: Expr): Plan {
    switch (expr.kind) {
      case "literal":
        return { kind: "constant", value: expr.value };
      case "ident":
        return this.#name(expr);
      case "select":
        return this.#select(expr);
      case "call":
        return this.#call(expr);
      case "list":
        return this.#list(expr);
      case "map":
        return this.#map(expr);
      case "struct":
        return this.#struct(expr);
      case "comprehension":
        return { kind: "step", step: this.#comprehension(expr) };
      default:
        return expr satisfies never;
    }
  }

  step(expr: Expr): Step {
    return stepOf(this.plan(expr));
  }

  #slot(variable: Variable): number {
    const known = this.#slots.get(variable);
    if (known !== undefined) return known;
    const slot = this.#slots.size;
    this.#slots.set(variable, slot);
    return slot;
  }

  /** A variable or a type. */
  #name(expr: Expr): Plan {
    const reference = this.#checked.referenceOf(expr);
    if (reference?.kind === "type") return { kind: "constant", value: new TypeValue(reference.type) };
    if (reference?.kind !== "variable") throw new TypeError("A checked name refers to a variable or a type");
    const slot = this.#slot(reference.variable);
    const init = this.#lazy.get(reference.variable);
    const resolve: Step =
      init === undefined
        ? (activation) => activation.slots[slot] as CelValue
        : (activation) => {
            const known = activation.slots[slot];
            if (known !== undefined) return known;
            const value = init(activation);
            activation.slots[slot] = value;
            return value;
          };
    return { kind: "attribute", resolve, selections: 0, own: 1 };
  }

  #select(expr: SelectExpr): Plan {
    if (this.#checked.referenceOf(expr) !== undefined) return this.#name(expr);
    const { resolve, selections, own } = attributeOf(this.plan(expr.operand));
    const { field } = expr;
    if (expr.testOnly) {
      // The presence test itself is free, its selection is not.
      return { kind: "attribute", resolve: (a) => has(resolve(a), field), selections: selections + 1, own: 0 };
    }
    return { kind: "attribute", resolve: (a) => select(resolve(a), field), selections: selections + 1, own };
  }

  #index(expr: CallExpr): Plan {
    const [operand, key] = expr.args as [Expr, Expr];
    const { resolve, selections, own } = attributeOf(this.plan(operand));
    const keyPlan = this.plan(key);
    if (expr.name !== "_[_]") {
      const find: Step = keyPlan.kind === "attribute" ? keyPlan.resolve : stepOf(keyPlan);
      const step: Step = (activation) => {
        const value = selectOptional(resolve(activation), find(activation));
        // A selection that finds nothing is free.
        if (value.value !== undefined) activation.cost += 1;
        return value;
      };
      return { kind: "attribute", resolve: step, selections: selections + keySelections(keyPlan), own };
    }
    if (keyPlan.kind === "constant") {
      const { value } = keyPlan;
      return { kind: "attribute", resolve: (a) => select(resolve(a), value), selections: selections + 1, own };
    }
    const find = keyPlan.kind === "attribute" ? keyPlan.resolve : keyPlan.step;
    const cost = selections + 1 + keySelections(keyPlan);
    return { kind: "attribute", resolve: (a) => select(resolve(a), find(a)), selections: cost, own };
  }

  #call(expr: CallExpr): Plan {
    switch (expr.name) {
      case "_[_]":
      case "_[?_]":
      case "_?._":
        return this.#index(expr);
      case "_&&_":
      case "_||_": {
        const operands = expr.args.map((arg) => this.step(arg));
        return { kind: "step", step: logic(operands, expr.name === "_||_") };
      }
      case "_?_:_":
        return this.#conditional(expr);
      default:
        return this.#function(expr);
    }
  }

  #conditional(expr: CallExpr): Plan {
    const [condition, whenTrue, whenFalse] = expr.args.map((arg) => this.plan(arg)) as [Plan, Plan, Plan];
    const test = stepOf(condition);
    const [left, right] = [branch(whenTrue), branch(whenFalse)];
    const resolve: Step = (activation) => {
      const value = test(activation);
      if (typeof value !== "boolean") throw noSuchOverload();
      return value ? left(activation) : right(activation);
    };
    return { kind: "attribute", resolve, selections: 0, own: 0 };
  }

  #function(expr: CallExpr): Plan {
    const reference = this.#checked.referenceOf(expr);
    if (reference?.kind !== "function") throw new TypeError("A checked call refers to a function");
    const { name, overloads, qualified } = reference;
    const operands = expr.target === undefined || qualified ? expr.args : [expr.target, ...expr.args];
    const plans = operands.map((operand) => this.plan(operand));
    if (name === "or" || name === "orValue") return this.#orElse(plans, name === "orValue");
    const membership =
      name === "@in" && overloads.length === 1 ? memberOfConstants(plans, overloads[0]?.id ?? "") : undefined;
    if (membership !== undefined) return membership;
    const [, source] = plans;
    // A literal pattern that RE2 rejects is known before any evaluation.
    if (patternFunctions.has(name) && source?.kind === "constant") pattern(String(source.value));
    const args = plans.map(stepOf);
    if (name === "matches" && expr.target !== undefined && source?.kind === "constant" && args[0] !== undefined) {
      return { kind: "step", step: matchStep(args[0], String(source.value)) };
    }
    const operator = operatorStep(name, args, overloads.length === 1 ? overloads[0] : undefined);
    const cost: CallCost | undefined = callCost(this.#environment.functions.get(name), overloads);
    const types = operands.map((operand) => this.#checked.typeOf(operand));
    const step = operator ?? callStep({ name, overloads, args, types, cost });
    if (foldsConstants(name) && plans.length === 1 && plans[0]?.kind === "constant") {
      // As cel-go: conversions of literals happen once, and their failures are known before any evaluation.
      return { kind: "constant", value: step(new Activation(0, Number.POSITIVE_INFINITY)) };
    }
    return { kind: "step", step };
  }

  /** `a.or(b)` and `a.orValue(b)`: the second is evaluated only if the first is empty. Both are free. */
  #orElse(plans: readonly Plan[], unwraps: boolean): Plan {
    const [first, second] = plans.map(stepOf) as [Step, Step];
    const step: Step = (activation) => {
      const value = first(activation);
      if (!(value instanceof OptionalValue)) return value;
      if (value.value === undefined) return second(activation);
      return unwraps ? value.value : value;
    };
    return { kind: "step", step };
  }

  #list(expr: ListExpr): Plan {
    const plans = expr.elements.map((element) => this.plan(element));
    return constantOr(plans, listStep(plans.map(stepOf), expr.optional));
  }

  #map(expr: MapExpr): Plan {
    const plans = expr.entries.flatMap(({ key, value }) => [this.plan(key), this.plan(value)]);
    const optional = new Set(expr.entries.flatMap((entry, index) => (entry.optional ? [index] : [])));
    return constantOr(plans, mapStep(plans.map(stepOf), optional));
  }

  #struct(expr: StructExpr): Plan {
    const fields = expr.fields.map(({ name, value, optional }) => ({ name, optional, value: this.step(value) }));
    return { kind: "step", step: structStep(this.#checked.typeOf(expr), fields) };
  }

  #comprehension(expr: ComprehensionExpr): Step {
    const variables = this.#checked.scopeOf(expr);
    if (variables === undefined) throw new TypeError("A checked comprehension has variables");
    if (expr.form === "bind") {
      this.#lazy.set(variables.accu, this.step(expr.init));
      const slot = this.#slot(variables.accu);
      const result = this.step(expr.result);
      return (activation) => {
        activation.slots[slot] = undefined;
        return result(activation);
      };
    }
    const range = this.step(expr.range);
    const slot2 = variables.iter2 === undefined ? undefined : this.#slot(variables.iter2);
    const loop: Loop = { range, slot: this.#slot(variables.iter), slot2 };
    const step = expr.step as CallExpr;
    switch (expr.form) {
      case "all":
      case "exists":
        return quantifier(loop, this.step(step.args[1] as Expr), expr.form === "exists");
      case "existsOne":
        return existsOne(loop, this.step(step.args[0] as Expr));
      default: {
        const filter = step.name === "_?_:_" ? this.step(step.args[0] as Expr) : undefined;
        const build = (filter === undefined ? step : step.args[1]) as CallExpr;
        const made = build.args.at(-1) as Expr;
        if (expr.form === "map") return buildMap(loop, filter, this.step(made), build.args.length === 3);
        const element = this.plan((made as ListExpr).elements[0] as Expr);
        return buildList(loop, filter, stepOf(element), element.kind === "constant" ? 0 : 10);
      }
    }
  }
}

/** Functions whose second operand is a pattern. */
const patternFunctions: ReadonlySet<string> = new Set(["matches", "find", "findAll"]);

/** What an attribute costs inside brackets: its selections, but not itself. */
function keySelections(plan: Plan): number {
  return plan.kind === "attribute" ? plan.selections : 0;
}

/** A branch of a conditional: an attribute there is charged for its selections only. */
function branch(plan: Plan): Step {
  return stepOf(plan.kind === "attribute" ? ({ ...plan, own: 0 } satisfies Attribute) : plan);
}

/** Literals of literals are made once. */
function constantOr(parts: readonly Plan[], step: Step): Plan {
  if (!parts.every(({ kind }) => kind === "constant")) return { kind: "step", step };
  const value = step(new Activation(0, Number.POSITIVE_INFINITY));
  return { kind: "constant", value };
}
