import type { Checked, Reference } from "../check/checked.js";
import type { FunctionDecl, Overload } from "../check/overload.js";
import type { CallExpr, ComprehensionExpr, Expr, ListExpr, MapExpr, SelectExpr } from "../syntax/expr.js";
import { accumulator } from "../syntax/expr.js";
import {
  add,
  type CallEstimate,
  fixed,
  multiply,
  type Range,
  type SizedNode,
  unbounded,
  union,
  unknownSize,
} from "./estimate.js";
import { type EntrySizes, isScalar, literalSize, opaqueEquality, unionEntries } from "./node-sizes.js";

/** The most elements, characters or entries at a path from a variable, or undefined where nothing is known. */
export type MaxSizes = (path: readonly string[]) => number | undefined;

type Functions = ReadonlyMap<string, FunctionDecl>;

interface Local {
  readonly name: string;
  readonly path: readonly string[];
  readonly size: Range | undefined;
  readonly entries: EntrySizes | undefined;
}

/** The least and the most that one evaluation may cost, as cel-go and Kubernetes estimate it before anything runs. */
export class CostEstimator {
  readonly #checked: Checked;
  readonly #functions: Functions;
  readonly #maxSizes: MaxSizes;
  readonly #paths = new Map<Expr, readonly string[]>();
  readonly #sizes = new Map<Expr, Range>();
  readonly #entries = new Map<Expr, EntrySizes>();
  readonly #locals: Local[] = [];

  constructor(checked: Checked, functions: Functions, maxSizes: MaxSizes) {
    this.#checked = checked;
    this.#functions = functions;
    this.#maxSizes = maxSizes;
  }

  cost(expr: Expr): Range {
    switch (expr.kind) {
      case "literal":
        return fixed(0);
      case "ident":
        this.#paths.set(expr, this.#local(expr.name)?.path ?? [expr.name]);
        return fixed(1);
      case "select":
        return this.#select(expr);
      case "call":
        return expr.name === "dyn" ? this.#dyn(expr) : this.#call(expr);
      case "list":
        return this.#list(expr);
      case "map":
        return this.#map(expr);
      case "struct":
        return expr.fields.reduce((sum, { value }) => add(sum, this.cost(value)), fixed(40));
      case "comprehension":
        return expr.form === "bind" ? this.#bind(expr) : this.#comprehension(expr);
      default:
        return expr satisfies never;
    }
  }

  #select(expr: SelectExpr): Range {
    if (this.#checked.referenceOf(expr) !== undefined) {
      // A qualified name is one name, as cel-go's checker rewrites it: kube-apiserver takes its size from the root of the schema.
      this.#paths.set(expr, [expr.field]);
      return fixed(1);
    }
    const sum = this.cost(expr.operand);
    if (expr.testOnly) return sum;
    this.#paths.set(expr, [...this.#path(expr.operand), expr.field]);
    const { kind } = this.#checked.typeOf(expr.operand);
    return kind === "map" || kind === "struct" || kind === "param" ? add(sum, fixed(1)) : sum;
  }

  #dyn(expr: CallExpr): Range {
    const arg = expr.args[0] as Expr;
    const cost = this.cost(arg);
    this.#copySizes(expr, arg);
    return add(fixed(1), cost);
  }

  #call(expr: CallExpr): Range {
    const reference = this.#checked.referenceOf(expr);
    const costs = expr.args.map((arg) => this.cost(arg));
    const args = expr.args.map((arg) => this.#node(arg));
    if (reference?.kind !== "function") return fixed(0);
    const isMember = expr.target !== undefined && !reference.qualified;
    const targetCost = isMember ? this.cost(expr.target as Expr) : fixed(0);
    const target = isMember ? this.#node(expr.target as Expr) : undefined;
    let total: Range = { min: unbounded, max: 0 };
    let size: Range | undefined;
    const overloads: readonly (Overload | undefined)[] = expr.name === "_?._" ? [undefined] : reference.overloads;
    for (const overload of overloads) {
      const estimate = this.#function(expr, reference, overload, { target, args, costs });
      total = union(total, estimate.cost);
      if (estimate.size !== undefined) size = size === undefined ? estimate.size : union(size, estimate.size);
      if (overload?.id === "index_list" || overload?.id === "index_map") {
        const operand = expr.args[0] as Expr;
        size = this.#entrySizes(operand)?.value;
        this.#paths.set(expr, [...this.#path(operand), overload.id === "index_list" ? "@items" : "@values"]);
      }
      size ??= this.#size(expr);
    }
    if (size !== undefined) this.#sizes.set(expr, size);
    return add(targetCost, total);
  }

  #function(
    expr: CallExpr,
    { name }: Extract<Reference, { kind: "function" }>,
    overload: Overload | undefined,
    call: {
      readonly target: SizedNode | undefined;
      readonly args: readonly SizedNode[];
      readonly costs: readonly Range[];
    },
  ): CallEstimate {
    const { target, args, costs } = call;
    const argCost = costs.reduce(add, fixed(0));
    const sizeOf = (node: SizedNode): Range => node.size ?? this.#schemaSize(node.path) ?? unknownSize;
    if (name === "_&&_" || name === "_||_") return { cost: { min: costs[0]?.min ?? 0, max: argCost.max } };
    if (name === "_?_:_") return this.#conditional(expr, call);
    const estimate = this.#functions.get(name)?.estimate ?? overload?.estimate;
    const opaque = name === "_==_" ? opaqueEquality(args) : undefined;
    const estimated = opaque === undefined ? estimate?.({ target, args, sizeOf }) : { cost: opaque };
    if (overload?.id.startsWith("add_") && expr.args.length === 2) {
      const [left, right] = expr.args.map((arg) => this.#entrySizes(arg));
      if (left !== undefined && right !== undefined) this.#entries.set(expr, unionEntries(left, right));
    }
    if (estimated === undefined) return { cost: add(fixed(1), argCost) };
    const cost = add(estimated.cost, argCost);
    return estimated.size === undefined ? { cost } : { cost, size: estimated.size };
  }

  #conditional(
    expr: CallExpr,
    { args, costs }: { readonly args: readonly SizedNode[]; readonly costs: readonly Range[] },
  ): CallEstimate {
    const [condition = fixed(0), whenTrue = fixed(0), whenFalse = fixed(0)] = costs;
    const [, left, right] = expr.args.map((arg) => this.#entrySizes(arg));
    if (left !== undefined && right !== undefined) this.#entries.set(expr, unionEntries(left, right));
    const size = union(args[1]?.size ?? unknownSize, args[2]?.size ?? unknownSize);
    return { cost: add(condition, union(whenTrue, whenFalse)), size };
  }

  #list(expr: ListExpr): Range {
    let sum = fixed(0);
    let value: Range = expr.elements.length === 0 ? fixed(0) : { min: unbounded, max: 0 };
    for (const element of expr.elements) {
      sum = add(sum, this.cost(element));
      value = union(value, this.#size(element) ?? unknownSize);
    }
    this.#entries.set(expr, { kind: "list", key: fixed(1), value });
    return add(sum, fixed(10));
  }

  #map(expr: MapExpr): Range {
    let sum = fixed(0);
    const start: Range = expr.entries.length === 0 ? fixed(0) : { min: unbounded, max: 0 };
    let [keys, values] = [start, start];
    for (const { key, value } of expr.entries) {
      sum = add(add(sum, this.cost(key)), this.cost(value));
      keys = union(keys, this.#size(key) ?? unknownSize);
      values = union(values, this.#size(value) ?? unknownSize);
    }
    this.#entries.set(expr, { kind: "map", key: keys, value: values });
    return add(sum, fixed(30));
  }

  #comprehension(expr: ComprehensionExpr): Range {
    let sum = add(this.cost(expr.range), this.cost(expr.init));
    this.#pushAccumulator(expr.accuVar, expr.init);
    const count = this.#locals.length;
    this.#pushIterated(expr);
    const condition = this.cost(expr.condition);
    const step = this.cost(expr.step);
    this.#locals.length = count;
    sum = add(sum, this.cost(expr.result));
    this.#locals.length = count - 1;
    const rounds = this.#size(expr.range) ?? unknownSize;
    sum = add(sum, multiply(rounds, add(step, condition)));
    if (expr.init.kind === "literal") this.#sizes.set(expr, this.#size(expr.init) ?? fixed(1));
    else {
      this.#sizes.set(expr, rounds);
      const entries = this.#entrySizes(expr.step);
      if (entries !== undefined) this.#entries.set(expr, entries);
    }
    return sum;
  }

  /** A binding is evaluated when it is first read; the estimate assumes that it is. */
  #bind(expr: ComprehensionExpr): Range {
    const sum = add(this.cost(expr.range), this.cost(expr.init));
    this.#pushAccumulator(expr.accuVar, expr.init);
    const result = this.cost(expr.result);
    this.#copySizes(expr, expr.result);
    this.#locals.pop();
    return add(sum, result);
  }

  #pushAccumulator(name: string, init: Expr): void {
    this.#locals.push({ name, path: this.#path(init), size: this.#size(init), entries: this.#entrySizes(init) });
  }

  #pushIterated({ range, iterVar, iterVar2 }: ComprehensionExpr): void {
    const entries = this.#entrySizes(range);
    const isList = (entries?.kind ?? this.#checked.typeOf(range).kind) === "list";
    const path = this.#path(range);
    const push = (name: string, part: string, size: Range | undefined): void => {
      this.#locals.push({ name, path: [...path, part], size, entries: undefined });
    };
    if (iterVar2 === undefined) {
      push(iterVar, isList ? "@items" : "@keys", isList ? entries?.value : entries?.key);
    } else {
      push(iterVar, isList ? "@indices" : "@keys", entries?.key);
      push(iterVar2, isList ? "@items" : "@values", entries?.value);
    }
  }

  #local(name: string): Local | undefined {
    return this.#locals.findLast((local) => local.name === name);
  }

  #path(expr: Expr): readonly string[] {
    const local = expr.kind === "ident" ? this.#local(expr.name) : undefined;
    return local?.path ?? this.#paths.get(expr) ?? [];
  }

  #node(expr: Expr): SizedNode {
    const path = this.#path(expr);
    return {
      // Only paths from variables of the environment are known to a schema.
      path: path.length === 0 || path[0] === accumulator ? undefined : path,
      type: this.#checked.typeOf(expr),
      literal: expr.kind === "literal" ? expr.value : undefined,
      size: this.#size(expr),
    };
  }

  #size(expr: Expr): Range | undefined {
    const known = this.#sizes.get(expr) ?? literalSize(expr);
    if (known !== undefined) return known;
    const size = this.#schemaSize(this.#path(expr));
    if (size !== undefined) {
      this.#sizes.set(expr, size);
      return size;
    }
    if (isScalar(this.#checked.typeOf(expr))) return fixed(1);
    return expr.kind === "ident" ? this.#local(expr.name)?.size : undefined;
  }

  #schemaSize(path: readonly string[] | undefined): Range | undefined {
    if (path === undefined || path.length === 0) return undefined;
    const max = this.#maxSizes(path);
    return max === undefined ? undefined : { min: 0, max };
  }

  #entrySizes(expr: Expr): EntrySizes | undefined {
    const known = this.#entries.get(expr);
    return known ?? (expr.kind === "ident" ? this.#local(expr.name)?.entries : undefined);
  }

  #copySizes(to: Expr, from: Expr): void {
    const size = this.#size(from);
    const entries = this.#entrySizes(from);
    if (size !== undefined) this.#sizes.set(to, size);
    if (entries !== undefined) this.#entries.set(to, entries);
  }
}
