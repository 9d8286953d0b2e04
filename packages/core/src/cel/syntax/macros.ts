import { accumulator, type CallExpr, type ComprehensionExpr, type Expr } from "./expr.js";

/** A call that a macro replaces. All that comes of it points at the call's opening parenthesis. */
export interface MacroCall {
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
  readonly offset: number;
}

/** Expands a call of a macro. Throws a {@link MacroError} for invalid arguments. */
export type Expander = (call: MacroCall) => Expr;

/** A macro: a function name with a number of arguments, called on a value or not. */
export interface Macro {
  readonly name: string;
  readonly args: number;
  readonly receiver: boolean;
  readonly expand: Expander;
}

/** Thrown by an expander whose arguments are not what it needs. */
export class MacroError {
  readonly offset: number;
  readonly message: string;

  constructor(offset: number, message: string) {
    this.offset = offset;
    this.message = message;
  }
}

/** The macros of an environment. */
export class Macros {
  readonly #byKey = new Map<string, Expander>();

  constructor(macros: readonly Macro[]) {
    for (const { name, args, receiver, expand } of macros) this.#byKey.set(`${name}:${args}:${receiver}`, expand);
  }

  find(name: string, args: number, receiver: boolean): Expander | undefined {
    return this.#byKey.get(`${name}:${args}:${receiver}`);
  }
}

/** `has(a.b)`, and the one-variable comprehensions of the language itself. */
export const standardMacros: readonly Macro[] = [
  { name: "has", args: 1, receiver: false, expand: expandHas },
  { name: "all", args: 2, receiver: true, expand: (call) => quantifier("all", call, oneVariable(call)) },
  { name: "exists", args: 2, receiver: true, expand: (call) => quantifier("exists", call, oneVariable(call)) },
  { name: "exists_one", args: 2, receiver: true, expand: (call) => quantifier("existsOne", call, oneVariable(call)) },
  { name: "map", args: 2, receiver: true, expand: expandMap },
  { name: "map", args: 3, receiver: true, expand: expandMap },
  {
    name: "filter",
    args: 2,
    receiver: true,
    expand: (call) => buildList(call, iterVariable(call, 0, notIdentifier), [argument(call, 1)], argument(call, 0)),
  },
];

/** Comprehensions over index and element, or key and value. */
export const twoVariableMacros: readonly Macro[] = [
  { name: "all", args: 3, receiver: true, expand: (call) => quantifier("all", call, twoVariables(call)) },
  { name: "exists", args: 3, receiver: true, expand: (call) => quantifier("exists", call, twoVariables(call)) },
  { name: "existsOne", args: 3, receiver: true, expand: (call) => quantifier("existsOne", call, twoVariables(call)) },
  { name: "exists_one", args: 3, receiver: true, expand: (call) => quantifier("existsOne", call, twoVariables(call)) },
  ...[3, 4].flatMap((args): Macro[] => [
    {
      name: "transformList",
      args,
      receiver: true,
      expand: (call) => {
        const variables = twoVariables(call);
        return buildList(call, variables, call.args.slice(2, -1), call.args.at(-1) as Expr);
      },
    },
    { name: "transformMap", args, receiver: true, expand: (call) => buildMap(call, true) },
    { name: "transformMapEntry", args, receiver: true, expand: (call) => buildMap(call, false) },
  ]),
];

/** `optional.optMap(x, …)` and `optional.optFlatMap(x, …)`. */
export const optionalMacros: readonly Macro[] = [
  {
    name: "optMap",
    args: 2,
    receiver: true,
    expand: (call) => optionalMap(call, "optMap", (value) => globalCall(call, "optional.of", [value])),
  },
  { name: "optFlatMap", args: 2, receiver: true, expand: (call) => optionalMap(call, "optFlatMap", (value) => value) },
];

/** `list.sortBy(x, key)`: sorts by keys that are computed once for each element. */
export const sortByMacro: Macro = { name: "sortBy", args: 2, receiver: true, expand: expandSortBy };

interface Variables {
  readonly iterVar: string;
  readonly iterVar2?: string;
}

const notSimple = "argument must be a simple name";
const notIdentifier = "argument is not an identifier";
const overwrites = "iteration variable overwrites accumulator variable";

function argument(call: MacroCall, index: number): Expr {
  return call.args[index] as Expr;
}

function iterVariable(call: MacroCall, index: number, problem: string): Variables {
  const expr = argument(call, index);
  if (expr.kind !== "ident") throw new MacroError(expr.offset, problem);
  if (expr.name === "__result__") throw new MacroError(expr.offset, overwrites);
  return { iterVar: expr.name };
}

function oneVariable(call: MacroCall): Variables {
  return iterVariable(call, 0, notSimple);
}

function twoVariables(call: MacroCall): Variables {
  const [first, second] = [argument(call, 0), argument(call, 1)];
  for (const expr of [first, second]) if (expr.kind !== "ident") throw new MacroError(expr.offset, notSimple);
  const [iterVar, iterVar2] = [first, second].map((expr) => (expr.kind === "ident" ? expr.name : ""));
  if (iterVar === iterVar2) throw new MacroError(second.offset, `duplicate variable name: ${iterVar}`);
  if (iterVar === "__result__") throw new MacroError(first.offset, overwrites);
  if (iterVar2 === "__result__") throw new MacroError(second.offset, overwrites);
  return { iterVar: iterVar ?? "", iterVar2: iterVar2 ?? "" };
}

function expandHas(call: MacroCall): Expr {
  const expr = argument(call, 0);
  if (expr.kind !== "select") throw new MacroError(expr.offset, "invalid argument to has() macro");
  return { ...expr, testOnly: true, offset: call.offset };
}

function quantifier(kind: "all" | "exists" | "existsOne", call: MacroCall, variables: Variables): Expr {
  const accu = ident(call, accumulator);
  const predicate = call.args.at(-1) as Expr;
  if (kind === "existsOne") {
    const added = globalCall(call, "_+_", [accu, literal(call, 1)]);
    const step = globalCall(call, "_?_:_", [predicate, added, accu]);
    const result = globalCall(call, "_==_", [accu, literal(call, 1)]);
    return loop(call, variables, { form: kind, init: literal(call, 0), condition: literal(call, true), step, result });
  }
  const isAll = kind === "all";
  const goesOn = isAll ? accu : globalCall(call, "!_", [accu]);
  return loop(call, variables, {
    form: kind,
    init: literal(call, isAll),
    condition: globalCall(call, "@not_strictly_false", [goesOn]),
    step: globalCall(call, isAll ? "_&&_" : "_||_", [accu, predicate]),
    result: accu,
  });
}

function expandMap(call: MacroCall): Expr {
  return buildList(call, iterVariable(call, 0, notIdentifier), call.args.slice(1, -1), call.args.at(-1) as Expr);
}

function buildList(call: MacroCall, variables: Variables, filter: readonly Expr[], element: Expr): Expr {
  const one: Expr = { kind: "list", elements: [element], optional: new Set(), offset: call.offset };
  const init: Expr = { kind: "list", elements: [], optional: new Set(), offset: call.offset };
  const step = globalCall(call, "_+_", [ident(call, accumulator), one]);
  return collect(call, variables, { form: "list", init, filter, step });
}

function buildMap(call: MacroCall, keyed: boolean): Expr {
  const variables = twoVariables(call);
  const init: Expr = { kind: "map", entries: [], offset: call.offset };
  const key = keyed ? [ident(call, variables.iterVar)] : [];
  const step = globalCall(call, "cel.@mapInsert", [ident(call, accumulator), ...key, call.args.at(-1) as Expr]);
  return collect(call, variables, { form: "map", init, filter: call.args.slice(2, -1), step });
}

interface Collected {
  readonly form: "list" | "map";
  readonly init: Expr;
  /** None, or one. */
  readonly filter: readonly Expr[];
  readonly step: Expr;
}

function collect(call: MacroCall, variables: Variables, { form, init, filter: [filter], step }: Collected): Expr {
  const accu = ident(call, accumulator);
  const kept = filter === undefined ? step : globalCall(call, "_?_:_", [filter, step, accu]);
  return loop(call, variables, { form, init, condition: literal(call, true), step: kept, result: accu });
}

function optionalMap(call: MacroCall, name: string, wrap: (value: Expr) => Expr): Expr {
  const variable = argument(call, 0);
  if (variable.kind !== "ident") {
    throw new MacroError(variable.offset, `${name}() variable name must be a simple identifier`);
  }
  const value = memberCall(call, "value", call.target as Expr, []);
  const mapped = bind(call, variable.name, value, argument(call, 1));
  const hasValue = memberCall(call, "hasValue", call.target as Expr, []);
  return globalCall(call, "_?_:_", [hasValue, wrap(mapped), globalCall(call, "optional.none", [])]);
}

function expandSortBy(call: MacroCall): Expr {
  const target = call.target as Expr;
  if (["literal", "map", "struct"].includes(target.kind)) {
    const message = "sortBy can only be applied to a list, identifier, comprehension, call or select expression";
    throw new MacroError(target.offset, message);
  }
  const input = ident(call, "@__sortBy_input__");
  const keys = expandMap({ ...call, target: input });
  return bind(call, input.name, target, memberCall(call, "@sortByAssociatedKeys", input, [keys]));
}

/** A variable for the length of one expression: a loop over nothing. */
function bind(call: MacroCall, name: string, init: Expr, result: Expr): Expr {
  const range: Expr = { kind: "list", elements: [], optional: new Set(), offset: call.offset };
  const step = ident(call, name);
  const parts: LoopParts = { form: "bind", init, condition: literal(call, false), step, result };
  return { ...loop({ ...call, target: range }, { iterVar: "#unused" }, parts), accuVar: name };
}

type LoopParts = Pick<ComprehensionExpr, "form" | "init" | "condition" | "step" | "result">;

function loop(call: MacroCall, { iterVar, iterVar2 }: Variables, parts: LoopParts): ComprehensionExpr {
  const range = call.target as Expr;
  return { kind: "comprehension", range, iterVar, iterVar2, accuVar: accumulator, ...parts, offset: call.offset };
}

function ident({ offset }: MacroCall, name: string): Expr & { readonly kind: "ident" } {
  return { kind: "ident", name, offset };
}

function literal({ offset }: MacroCall, value: boolean | number): Expr {
  return { kind: "literal", value, offset };
}

function globalCall({ offset }: MacroCall, name: string, args: readonly Expr[]): CallExpr {
  return { kind: "call", name, target: undefined, args, offset };
}

function memberCall({ offset }: MacroCall, name: string, target: Expr, args: readonly Expr[]): CallExpr {
  return { kind: "call", name, target, args, offset };
}
