import type { CallExpr, ComprehensionExpr, Expr, ListExpr, MapExpr, StructExpr } from "../syntax/expr.js";
import { qualifiedName } from "../syntax/expr.js";
import type { Issue, Source } from "../syntax/source.js";
import { mostGeneral } from "../types/assignable.js";
import {
  boolType,
  type CelType,
  dynType,
  errorType,
  formatSignature,
  formatType,
  intType,
  isDyn,
  isDynOrError,
  listType,
  mapType,
  optionalParam,
  optionalType,
  sameType,
  typeOfType,
} from "../types/cel-type.js";
import { typeOf } from "../values/type-of.js";
import type { Checked, LoopVariables, Reference, Variable } from "./checked.js";
import type { Environment } from "./environment.js";
import type { FunctionDecl, Overload } from "./overload.js";
import { TypeSolver } from "./type-solver.js";

/** Finds the type of every node, and what every name and call refers to. Issues in cel-go's words. */
export function check(
  expr: Expr,
  environment: Environment,
  source: Source,
): { readonly checked: Checked; readonly issues: readonly Issue[] } {
  const checker = new Checker(environment, source);
  checker.check(expr);
  return { checked: checker.finish(expr), issues: checker.issues };
}

class Checker {
  readonly issues: Issue[] = [];
  readonly #environment: Environment;
  readonly #source: Source;
  readonly #types = new Map<Expr, CelType>();
  readonly #references = new Map<Expr, Reference>();
  readonly #loops = new Map<Expr, LoopVariables>();
  readonly #globals = new Map<string, Variable>();
  #scopes: readonly Variable[] = [];
  readonly #solver = new TypeSolver();

  constructor(environment: Environment, source: Source) {
    this.#environment = environment;
    this.#source = source;
    for (const [name, type] of environment.variables) {
      this.#globals.set(name, { name, type, isGlobal: true });
    }
  }

  finish(expr: Expr): Checked {
    for (const [node, type] of this.#types) this.#types.set(node, this.#solver.substitute(type, true));
    return {
      expr,
      typeOf: (node) => this.#types.get(node) ?? dynType,
      referenceOf: (node) => this.#references.get(node),
      scopeOf: (node) => this.#loops.get(node),
    };
  }

  check(expr: Expr): CelType {
    const type = this.#typeOf(expr);
    this.#types.set(expr, type);
    return type;
  }

  #typeOf(expr: Expr): CelType {
    switch (expr.kind) {
      case "literal":
        return typeOf(expr.value);
      case "ident":
        return this.#lookup(expr, expr.name) ?? this.#undeclared(expr, expr.name);
      case "select": {
        const name = qualifiedName(expr);
        const named = name === undefined ? undefined : this.#lookup(expr, name);
        if (named !== undefined) return named;
        const field = this.#field(expr, expr.operand, expr.field);
        return expr.testOnly ? boolType : this.#solver.substitute(field, false);
      }
      case "call":
        return this.#call(expr);
      case "list":
        return this.#list(expr);
      case "map":
        return this.#map(expr);
      case "struct":
        return this.#struct(expr);
      case "comprehension":
        return this.#comprehension(expr);
      default:
        return expr satisfies never;
    }
  }

  /** The type of a variable or of a type's name; undefined when there is neither. */
  #lookup(expr: Expr, written: string): CelType | undefined {
    const name = written.startsWith(".") ? written.slice(1) : written;
    const variable =
      (written === name ? this.#scopes.findLast((one) => one.name === name) : undefined) ?? this.#globals.get(name);
    if (variable !== undefined) {
      this.#references.set(expr, { kind: "variable", variable });
      return variable.type;
    }
    const type = this.#environment.types.get(name);
    if (type === undefined) return undefined;
    this.#references.set(expr, { kind: "type", type });
    return typeOfType(type);
  }

  #field(expr: Expr, operand: Expr, field: string): CelType {
    const operandType = this.#solver.substitute(this.check(operand), false);
    const inner = optionalParam(operandType);
    const type = this.#fieldOf(expr, inner ?? operandType, field);
    return inner === undefined ? type : optionalType(type);
  }

  #fieldOf(expr: Expr, type: CelType, field: string): CelType {
    switch (type.kind) {
      case "map":
        return type.params[1] as CelType;
      case "struct":
        return this.#structField(expr.offset, type.name, field);
      case "param":
        this.#solver.isAssignable(dynType, type);
        return dynType;
      default:
        if (!isDynOrError(type)) {
          this.#report(expr.offset, `type '${formatType(type)}' does not support field selection`);
        }
        return dynType;
    }
  }

  #structField(offset: number, typeName: string, field: string): CelType {
    const struct = this.#environment.structs.get(typeName);
    if (struct === undefined) {
      this.#report(offset, `unexpected failed resolution of '${typeName}'`);
      return errorType;
    }
    const type = struct.fields.get(field);
    if (type === undefined) this.#report(offset, `undefined field '${field}'`);
    return type ?? errorType;
  }

  #call(expr: CallExpr): CelType {
    if (expr.name === "_?._") return this.#optionalSelect(expr);
    for (const arg of expr.args) this.check(arg);
    if (expr.target === undefined) {
      const name = expr.name.startsWith(".") ? expr.name.slice(1) : expr.name;
      const declared = this.#environment.functions.get(name);
      return declared === undefined ? this.#undeclared(expr, expr.name) : this.#resolve(expr, declared, undefined);
    }
    const prefix = qualifiedName(expr.target);
    const qualified =
      prefix === undefined ? undefined : this.#environment.functions.get(`${prefix.replace(/^\./, "")}.${expr.name}`);
    if (qualified !== undefined) return this.#resolve(expr, qualified, undefined);
    this.check(expr.target);
    const declared = this.#environment.functions.get(expr.name);
    return declared === undefined ? this.#undeclared(expr, expr.name) : this.#resolve(expr, declared, expr.target);
  }

  #optionalSelect(expr: CallExpr): CelType {
    const [operand, field] = expr.args as [Expr, Expr];
    const name = field.kind === "literal" && typeof field.value === "string" ? field.value : "";
    const type = this.#field(expr, operand, name);
    this.#references.set(expr, { kind: "function", name: expr.name, overloads: [], qualified: false });
    const optional =
      optionalParam(type) !== undefined && optionalParam(this.#types.get(operand) ?? dynType) !== undefined;
    return this.#solver.substitute(optional ? type : optionalType(type), false);
  }

  #resolve(expr: CallExpr, { name, overloads }: FunctionDecl, target: Expr | undefined): CelType {
    const operands = target === undefined ? expr.args : [target, ...expr.args];
    const types = operands.map((operand) => this.#types.get(operand) ?? errorType);
    const refer = (fitting: readonly Overload[]): void => {
      const qualified = expr.target !== undefined && target === undefined;
      this.#references.set(expr, { kind: "function", name, overloads: fitting, qualified });
    };
    if (name === "_&&_" || name === "_||_") {
      refer(overloads);
      return this.#logic(expr, types);
    }
    const fitting: Overload[] = [];
    let result: CelType | undefined;
    for (const candidate of overloads) {
      if (candidate.isMember !== (target !== undefined) || candidate.params.length !== types.length) continue;
      const [params, candidateResult] = this.#solver.instantiate(candidate);
      const pairs = types.map((type, index) => [type, params[index] as CelType] as const);
      if (!this.#solver.assign(pairs)) continue;
      fitting.push(candidate);
      const type = this.#solver.substitute(candidateResult, false);
      if (result === undefined) result = type;
      else if (!isDyn(result) && !sameType(type, result)) result = dynType;
    }
    if (result !== undefined) {
      refer(fitting);
      return result;
    }
    const shown = types.map((type) => this.#solver.substitute(type, true));
    const signature = formatSignature(shown, target !== undefined);
    this.#report(expr.offset, `found no matching overload for '${name}' applied to '${signature}'`);
    return errorType;
  }

  #logic(expr: CallExpr, types: readonly CelType[]): CelType {
    let result: CelType = boolType;
    for (const [index, type] of types.entries()) {
      if (this.#solver.isAssignable(type, boolType)) continue;
      this.#mismatch((expr.args[index] as Expr).offset, boolType, type);
      result = errorType;
    }
    return result;
  }

  #list(expr: ListExpr): CelType {
    let element: CelType | undefined;
    for (const [index, item] of expr.elements.entries()) {
      const type = this.#unwrapped(item, this.check(item), expr.optional.has(index));
      element = this.#join(element, type);
    }
    return listType(element ?? this.#solver.newParam());
  }

  #map(expr: MapExpr): CelType {
    let key: CelType | undefined;
    let value: CelType | undefined;
    for (const entry of expr.entries) {
      key = this.#join(key, this.check(entry.key));
      value = this.#join(value, this.#unwrapped(entry.value, this.check(entry.value), entry.optional));
    }
    return mapType(key ?? this.#solver.newParam(), value ?? this.#solver.newParam());
  }

  /** The type of an entry written with a question mark is that inside its optional. */
  #unwrapped(expr: Expr, type: CelType, isOptional: boolean): CelType {
    if (!isOptional) return type;
    const inner = optionalParam(type);
    if (inner === undefined && !isDyn(type)) this.#mismatch(expr.offset, optionalType(type), type);
    return inner ?? type;
  }

  #join(previous: CelType | undefined, current: CelType): CelType {
    if (previous === undefined) return current;
    return this.#solver.isAssignable(previous, current) ? mostGeneral(previous, current) : dynType;
  }

  #struct(expr: StructExpr): CelType {
    const type = this.#lookup(expr, expr.typeName);
    if (type === undefined) return this.#undeclared(expr, expr.typeName);
    const result = type.kind === "type" ? (type.params[0] as CelType) : undefined;
    if (result === undefined) this.#report(expr.offset, `'${formatType(type)}' is not a type`);
    else if (result.kind !== "struct") this.#report(expr.offset, `'${result.name}' is not a message type`);
    for (const field of expr.fields) {
      const given = this.#unwrapped(field.value, this.check(field.value), field.optional);
      const declared = this.#structField(field.offset, result?.name ?? expr.typeName, field.name);
      if (this.#solver.isAssignable(declared, given)) continue;
      const names = `expected type of field '${field.name}' is '${formatType(declared)}'`;
      this.#report(field.offset, `${names} but provided type is '${formatType(given)}'`);
    }
    return result?.kind === "struct" ? result : errorType;
  }

  #comprehension(expr: ComprehensionExpr): CelType {
    const range = this.#solver.substitute(this.check(expr.range), false);
    const accuType = this.check(expr.init);
    const outer = this.#scopes;
    const accu: Variable = { name: expr.accuVar, type: accuType, isGlobal: false };
    const [first, second] = this.#iterated(expr, range);
    const iter: Variable = { name: expr.iterVar, type: first, isGlobal: false };
    const name2 = expr.iterVar2;
    const iter2: Variable | undefined =
      name2 === undefined ? undefined : { name: name2, type: second, isGlobal: false };
    this.#loops.set(expr, { accu, iter, iter2 });
    this.#scopes = [...outer, accu, iter, ...(iter2 === undefined ? [] : [iter2])];
    this.#expect(expr.condition, boolType);
    this.#expect(expr.step, accuType);
    this.#scopes = [...outer, accu];
    const result = this.check(expr.result);
    this.#scopes = outer;
    return this.#solver.substitute(result, false);
  }

  #iterated(expr: ComprehensionExpr, range: CelType): readonly [CelType, CelType] {
    const [first = dynType, second = dynType] = range.params;
    switch (range.kind) {
      case "list":
        return expr.iterVar2 === undefined ? [first, first] : [intType, first];
      case "map":
        return [first, second];
      case "param":
        this.#solver.isAssignable(dynType, range);
        return [dynType, dynType];
      default: {
        if (isDynOrError(range)) return [dynType, dynType];
        const message = `expression of type '${formatType(range)}' cannot be range of a comprehension`;
        this.#report(expr.range.offset, `${message} (must be list, map, or dynamic)`);
        return [errorType, errorType];
      }
    }
  }

  #expect(expr: Expr, expected: CelType): void {
    const type = this.check(expr);
    if (!this.#solver.isAssignable(expected, type)) this.#mismatch(expr.offset, expected, type);
  }

  #undeclared(expr: Expr, name: string): CelType {
    this.#report(expr.offset, `undeclared reference to '${name}' (in container '')`);
    return errorType;
  }

  #mismatch(offset: number, expected: CelType, actual: CelType): void {
    this.#report(offset, `expected type '${formatType(expected)}' but found '${formatType(actual)}'`);
  }

  #report(offset: number, message: string): void {
    this.issues.push(this.#source.issueAt(offset, message));
  }
}
