import { deepEqual, getOwn, isJsonObject, type JsonObject, type JsonValue } from "../../json/index.js";
import {
  correlatedItem,
  duplicate,
  type FieldError,
  type FieldErrorType,
  forbidden,
  formatFieldError,
  invalid,
  required,
  type Schema,
  type ValidationRule,
} from "../../schema/index.js";
import type { Evaluation, Program } from "../program.js";
import { schemaDeclaration } from "../schema/schema-declaration.js";
import { EvalFailure } from "../values/eval-failure.js";
import { type CelValue, OptionalValue } from "../values/value.js";
import { type CompiledRule, compileRules } from "./compile-rules.js";

/** What one evaluation may cost, and all evaluations for one object. */
const callLimit = 1_000_000;
const objectBudget = 10_000_000;
/** The longest string that a messageExpression may return, in bytes. */
const maxMessageBytes = 5 * 1_024;
const outOfBudget = "validation failed due to running out of cost budget, no further validation rules will be run";

/** The result of the rules of one object. */
export interface RuleViolations {
  readonly errors: readonly FieldError[];
  /** Errors of parts that an update did not change (ratcheting). */
  readonly warnings: readonly string[];
}

/** A resource whose rules are evaluated. */
export interface RuleSubject {
  readonly object: JsonObject;
  /** The resource before an update; undefined for a create. */
  readonly old: JsonObject | undefined;
  /** The errors of the other checks. */
  readonly errors: readonly FieldError[];
}

/** Errors after which values may not have the types of their schema, so that rules cannot be evaluated. */
const blocking: ReadonlySet<FieldErrorType> = new Set([
  "NotSupported",
  "Required",
  "TooLong",
  "TooMany",
  "TypeInvalid",
]);

/**
 * Evaluates the CEL rules of a resource's structural schema, as kube-apiserver does: values that are null have no rules, transition rules need an old
 * value, and an unchanged part is not rejected for a rule that does not compare (ratcheting).
 */
export function evaluateRules(schema: Schema, { object, old, errors }: RuleSubject): RuleViolations {
  const node = nodeOf(schema, true);
  if (node === undefined) return { errors: [], warnings: [] };
  if (errors.some(({ type }) => blocking.has(type))) {
    const detail =
      "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";
    return { errors: [invalid("<nil>", null, detail)], warnings: [] };
  }
  const evaluation = new RuleEvaluation();
  const same = old === undefined ? undefined : correlate(object, old);
  evaluation.visit({ node, value: object, old, path: "", same, parent: undefined });
  return evaluation;
}

/**
 * Evaluates the rules for the default of a schema, as an unchanged value and as a new one. `path` is the path of the default in errors.
 */
export function evaluateDefault(schema: Schema, path: string): readonly FieldError[] {
  const { default: value } = schema;
  if (value === undefined) return [];
  const node = nodeOf(schema, schema["x-kubernetes-embedded-resource"] === true);
  if (node === undefined) return [];
  const evaluation = new RuleEvaluation();
  for (const old of [value, undefined])
    if (evaluation.errors.length === 0)
      evaluation.visit({ node, value, old, path, same: undefined, parent: undefined });
  return evaluation.errors;
}

/** A schema with rules, in itself or in its parts. */
interface RuleNode {
  readonly schema: Schema;
  readonly rules: readonly CompiledRule[];
  readonly convert: (raw: JsonValue) => CelValue;
  readonly items: RuleNode | undefined;
  readonly additionalProperties: RuleNode | undefined;
  readonly properties: ReadonlyMap<string, RuleNode>;
}

/** Compiled once for each schema; null where there are no rules. */
const nodes = new WeakMap<Schema, RuleNode | null>();

function nodeOf(schema: Schema, isResource: boolean): RuleNode | undefined {
  const known = nodes.get(schema);
  if (known !== undefined) return known ?? undefined;
  const node = createNode(schema, isResource);
  nodes.set(schema, node ?? null);
  return node;
}

function createNode(schema: Schema, isResource: boolean): RuleNode | undefined {
  const child = (inner: Schema): RuleNode | undefined =>
    nodeOf(inner, inner["x-kubernetes-embedded-resource"] === true);
  const properties = new Map<string, RuleNode>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const node = child(property);
    if (node !== undefined) properties.set(name, node);
  }
  const { items, additionalProperties } = schema;
  const itemNode = items && child(items);
  const entryNode = typeof additionalProperties === "object" ? child(additionalProperties) : undefined;
  const hasRules = (schema["x-kubernetes-validations"] ?? []).length > 0;
  const declaration = hasRules ? schemaDeclaration(schema, { name: "selfType", isResource }) : undefined;
  if (declaration === undefined && !itemNode && !entryNode && properties.size === 0) return undefined;
  return {
    schema,
    rules: declaration === undefined ? [] : compileRules(schema, declaration),
    convert: (raw) => declaration?.convert(raw) ?? null,
    items: itemNode,
    additionalProperties: entryNode,
    properties,
  };
}

/** A value, its old value if it has one, and whether both are equal. */
interface Correlation {
  readonly old: JsonValue;
  isEqual(): boolean;
}

interface Visit {
  readonly node: RuleNode;
  readonly value: JsonValue | undefined;
  readonly old: JsonValue | undefined;
  readonly path: string;
  /** For ratcheting: the old value of this one; undefined where it has none. */
  readonly same: Correlation | undefined;
  /** The old value of the nearest value above that has one. */
  readonly parent: Correlation | undefined;
}

type Bindings = Readonly<Record<"self" | "oldSelf", CelValue>>;

/** A budget that is used up ends the evaluation of the object. */
class BudgetExceeded extends Error {}

class RuleEvaluation implements RuleViolations {
  readonly errors: FieldError[] = [];
  readonly warnings: string[] = [];
  #budget = objectBudget;
  #isOver = false;

  visit(visit: Visit): void {
    const { value } = visit;
    if (value === undefined || value === null || this.#isOver) return;
    try {
      this.#evaluateAll(visit, value);
    } catch (error) {
      if (!(error instanceof BudgetExceeded)) throw error;
      this.#isOver = true;
    }
    if (Array.isArray(value)) this.#visitItems(visit, value);
    else if (isJsonObject(value)) this.#visitFields(visit, value);
  }

  #visitItems(visit: Visit, value: readonly JsonValue[]): void {
    const { node, old, path } = visit;
    if (node.items === undefined) return;
    for (const [index, item] of value.entries()) {
      const before = correlatedItem(item, node.schema, old);
      this.visit({ ...below(visit, item, before), node: node.items, path: `${path}[${index}]` });
    }
  }

  #visitFields(visit: Visit, value: JsonObject): void {
    const { node, old, path } = visit;
    const before = (key: string): JsonValue | undefined => (isJsonObject(old) ? getOwn(old, key) : undefined);
    for (const [key, field] of Object.entries(value)) {
      const property = node.properties.get(key);
      const at = property === undefined ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
      const inner = property ?? node.additionalProperties;
      if (inner !== undefined) this.visit({ ...below(visit, field, before(key)), node: inner, path: at });
    }
  }

  #evaluateAll(visit: Visit, value: JsonValue): void {
    const { node, old, path } = visit;
    if (node.rules.length === 0) return;
    const { type = "" } = node.schema;
    const fail = (detail: string): void => void this.errors.push(invalid(path || "<nil>", type, detail));
    if (this.#budget <= 0) {
      fail(outOfBudget);
      throw new BudgetExceeded();
    }
    const hasOld = old !== undefined && old !== null;
    // Converted once for all rules. A value that does not fit its schema fails each of them.
    let self: CelValue | undefined;
    let oldSelf: CelValue | undefined;
    for (const compiled of node.rules) {
      const { rule, program, usesOldSelf } = compiled;
      if (compiled.error !== undefined) fail(`rule compile error: ${compiled.error}`);
      if (program === undefined) continue;
      const isOptional = rule.optionalOldSelf === true;
      if (usesOldSelf && !hasOld && !isOptional) continue;
      const bind = (): Bindings => {
        self ??= node.convert(value);
        if (hasOld) oldSelf ??= node.convert(old);
        return { self, oldSelf: isOptional ? new OptionalValue(oldSelf) : (oldSelf ?? null) };
      };
      const result = evaluate(program, bind);
      if (result.cost > this.#budget) {
        fail(outOfBudget);
        throw new BudgetExceeded();
      }
      this.#budget -= result.cost;
      if (result.kind === "value" && result.value === true) continue;
      if (result.kind === "value") this.#violated(visit, compiled, bind);
      else this.#failed(result, rule, fail);
    }
  }

  #failed(
    { kind, message }: Exclude<Evaluation, { kind: "value" }>,
    rule: ValidationRule,
    fail: (detail: string) => void,
  ): void {
    const name = nameOf(rule);
    if (kind === "cost-exceeded") {
      fail(`'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${name}`);
      throw new BudgetExceeded();
    }
    if (message.startsWith("no such overload"))
      fail(
        `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${name}`,
      );
    else fail(`${message} evaluating rule: ${name}`);
  }

  #violated(visit: Visit, compiled: CompiledRule, bind: () => Bindings): void {
    const { node, value = null, path, same, parent } = visit;
    const { rule } = compiled;
    const field = `${path}${compiled.fieldPath}`.replace(/^\./, "") || "<nil>";
    const isRatcheted = !compiled.usesOldSelf && (same ?? parent)?.isEqual() === true;
    const add = (error: FieldError): void => {
      if (isRatcheted) this.warnings.push(formatFieldError(error));
      else this.errors.push(error);
    };
    const { type = "" } = node.schema;
    const detail = this.#message(compiled, bind, (why) => add(invalid(field, type, why))) ?? defaultMessage(rule);
    const shown = type === "object" || type === "array" ? undefined : value;
    add(fieldError(rule, field, shown, detail));
  }

  /** The result of the messageExpression; undefined if there is none or it has no usable result. */
  #message(
    { messageProgram, rule }: CompiledRule,
    bind: () => Bindings,
    fail: (why: string) => void,
  ): string | undefined {
    if (messageProgram === undefined) return undefined;
    const result = evaluate(messageProgram, bind);
    if (result.cost > this.#budget) {
      fail(
        "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run",
      );
      throw new BudgetExceeded();
    }
    if (result.kind === "cost-exceeded") {
      const source = JSON.stringify(rule.messageExpression);
      fail(`no further validation rules will be run due to call cost exceeds limit for messageExpression: ${source}`);
      throw new BudgetExceeded();
    }
    this.#budget -= result.cost;
    const message = result.kind === "value" && typeof result.value === "string" ? result.value.trim() : "";
    const isUsable = message !== "" && !message.includes("\n") && Buffer.byteLength(message) <= maxMessageBytes;
    return isUsable ? message : undefined;
  }
}

function below({ same, parent, ...visit }: Visit, value: JsonValue, old: JsonValue | undefined): Visit {
  // Below a value without an old value, the nearest one above that has one decides.
  if (same === undefined) return { ...visit, value, old, same, parent };
  return { ...visit, value, old, same: old === undefined ? undefined : correlate(value, old), parent: same };
}

function correlate(value: JsonValue, old: JsonValue): Correlation {
  let isEqual: boolean | undefined;
  return {
    old,
    isEqual: () => {
      isEqual ??= deepEqual(value, old);
      return isEqual;
    },
  };
}

/** A value that does not fit its schema fails the evaluation. */
function evaluate(program: Program, bind: () => Bindings): Evaluation {
  try {
    return program.evaluate(bind(), callLimit);
  } catch (error) {
    if (!(error instanceof EvalFailure)) throw error;
    return { kind: "failed", message: error.message, cost: 0 };
  }
}

function nameOf({ message = "", rule }: ValidationRule): string {
  return (message === "" ? rule : message).trim();
}

function defaultMessage(rule: ValidationRule): string {
  return (rule.message ?? "") === "" ? `failed rule: ${nameOf(rule)}` : nameOf(rule);
}

function fieldError(
  { reason }: ValidationRule,
  field: string,
  value: JsonValue | undefined,
  detail: string,
): FieldError {
  switch (reason) {
    case "FieldValueForbidden":
      return forbidden(field, detail);
    case "FieldValueRequired":
      return required(field, detail);
    case "FieldValueDuplicate":
      return value === undefined ? { type: "Duplicate", field, detail: "" } : duplicate(field, value);
    default:
      return value === undefined ? { type: "Invalid", field, detail } : invalid(field, value, detail);
  }
}
