import { goJson } from "../../json/index.js";
import { type FieldError, forbidden, invalid, type Schema, type ValidationRule } from "../../schema/index.js";
import { unbounded } from "../cost/estimate.js";
import { type SchemaDeclaration, schemaDeclaration } from "../schema/schema-declaration.js";
import { type CompiledRule, compileRules } from "./compile-rules.js";
import { evaluateDefault } from "./rule-validator.js";

/** The largest estimated cost of one rule, and of all rules of a schema. */
const maxRuleCost = 10_000_000;
const maxTotalCost = 100_000_000;

/** How many of the most expensive rules are named when the total is too large. */
const namedRules = 4;

/** Options of {@link checkRules}. */
export interface CheckRulesOptions {
  /** Whether the schema was accepted before: then rules that are too expensive on their own stay accepted. @default false */
  readonly isUnchanged?: boolean;
  /** Errors of other checks: the rules of a schema with an error, in itself or in its parts, are not checked. @default none */
  readonly otherErrors?: readonly FieldError[];
}

/**
 * Validates the CEL rules of a structural schema, as kube-apiserver does when a CRD is written: their syntax and types, their estimated cost, and where
 * `oldSelf` may be used. `path` is the path of the schema in errors. The schema must be structural.
 */
export function checkRules(
  schema: Schema,
  path: string,
  { isUnchanged = false, otherErrors = [] }: CheckRulesOptions = {},
): FieldError[] {
  // A default that a rule rejects hides the errors of the rules themselves.
  const defaults = checkDefaults(schema, path);
  if (defaults.length > 0) return defaults;
  const check = new RuleCheck(isUnchanged, otherErrors);
  check.visit({ schema, path, cardinality: 1, isResource: true, uncorrelatable: undefined });
  return check.finish(path);
}

/** The errors of the rules for the defaults of a schema. kube-apiserver does not check defaults below additionalProperties. */
function checkDefaults(schema: Schema, path: string): FieldError[] {
  const { properties = {}, items } = schema;
  return [
    ...evaluateDefault(schema, `${path}.default`),
    ...(items === undefined ? [] : checkDefaults(items, `${path}.items`)),
    ...Object.entries(properties).flatMap(([name, one]) => checkDefaults(one, `${path}.properties[${name}]`)),
  ];
}

/** A schema and what its ancestors say about its values. */
interface Visit {
  readonly schema: Schema;
  readonly path: string;
  /** How often a value can occur by the limits of lists and maps above; undefined where one has no limit. */
  readonly cardinality: number | undefined;
  /** Whether it has apiVersion, kind and metadata. */
  readonly isResource: boolean;
  /** The nearest schema above whose elements have no old value; undefined if there is none. */
  readonly uncorrelatable: string | undefined;
}

class RuleCheck {
  readonly #isUnchanged: boolean;
  readonly #errors: FieldError[] = [];
  readonly #costs: { readonly path: string; readonly cost: number }[] = [];
  readonly #otherErrors: readonly FieldError[];
  #total = 0;

  constructor(isUnchanged: boolean, otherErrors: readonly FieldError[]) {
    this.#isUnchanged = isUnchanged;
    this.#otherErrors = otherErrors;
  }

  visit(visit: Visit): void {
    const { schema, path } = visit;
    const { properties = {}, additionalProperties, items } = schema;
    const cardinality = multiplied(visit.cardinality, elementsOf(schema));
    if (typeof additionalProperties === "object")
      this.visit({ ...below(visit, additionalProperties), path: `${path}.additionalProperties`, cardinality });
    for (const [name, property] of Object.entries(properties))
      this.visit({ ...below(visit, property), path: `${path}.properties[${name}]`, cardinality });
    if (items !== undefined) {
      const isCorrelated = schema["x-kubernetes-list-type"] === "map";
      const uncorrelatable = visit.uncorrelatable ?? (isCorrelated ? undefined : path);
      this.visit({ ...below(visit, items), path: `${path}.items`, cardinality, uncorrelatable });
    }
    const isInvalid = this.#otherErrors.some(({ field }) => field === path || field.startsWith(`${path}.`));
    if ((schema["x-kubernetes-validations"] ?? []).length > 0 && !isInvalid) this.#check(visit);
  }

  /** All errors. `path` is that of the whole schema. */
  finish(path: string): FieldError[] {
    if (this.#total <= maxTotalCost) return this.#errors;
    const detail = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
    const expensive = this.#costs
      .filter(({ cost }) => cost >= maxTotalCost / 100)
      .toSorted((one, other) => other.cost - one.cost)
      .slice(0, namedRules);
    const what = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
    return [
      ...this.#errors,
      ...expensive.map((rule) => forbidden(rule.path, detail)),
      forbidden(path, overBudget(what, this.#total, maxTotalCost)),
    ];
  }

  #check({ schema, path, cardinality, isResource, uncorrelatable }: Visit): void {
    const place = `${path}.x-kubernetes-validations`;
    const declaration = schemaDeclaration(schema, { name: "selfType", isResource });
    if (declaration === undefined) {
      const detail =
        "internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations";
      this.#errors.push({ type: "Internal", field: place, detail });
      return;
    }
    for (const [index, compiled] of compileRules(schema, declaration).entries())
      this.#checkRule(compiled, `${place}[${index}]`, { declaration, cardinality, uncorrelatable });
  }

  #checkRule(
    compiled: CompiledRule,
    place: string,
    { declaration, cardinality = declaration.maxCardinality, uncorrelatable }: RuleContext,
  ): void {
    const { rule, program, messageProgram } = compiled;
    const maxCost = program?.estimateCost(declaration.sizes).max ?? 0;
    this.#observe(`${place}.rule`, "estimated rule cost", multiplied(maxCost, cardinality) ?? 0);
    if (compiled.error !== undefined) this.#errors.push(invalidRule(`${place}.rule`, rule, compiled.error));
    if (compiled.messageError !== undefined)
      this.#errors.push(invalidRule(`${place}.messageExpression`, rule, compiled.messageError));
    if (messageProgram !== undefined) {
      const { max } = messageProgram.estimateCost(declaration.sizes);
      this.#observe(`${place}.messageExpression`, "estimated messageExpression cost", max);
    }
    if (compiled.usesOldSelf && uncorrelatable !== undefined) {
      const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
      this.#errors.push(invalid(`${place}.rule`, rule.rule, detail));
    }
    if (!compiled.usesOldSelf && rule.optionalOldSelf !== undefined) {
      const detail = "may not be set if oldSelf is not used in rule";
      this.#errors.push(invalid(`${place}.optionalOldSelf`, rule.optionalOldSelf, detail));
    }
  }

  #observe(path: string, what: string, cost: number): void {
    if (!this.#isUnchanged && cost > maxRuleCost)
      this.#errors.push(forbidden(path, overBudget(what, cost, maxRuleCost)));
    this.#total = Math.min(unbounded, this.#total + cost);
    this.#costs.push({ path, cost });
  }
}

interface RuleContext extends Pick<Visit, "cardinality" | "uncorrelatable"> {
  readonly declaration: SchemaDeclaration;
}

/** kube-apiserver prints the whole rule, with the names and the order of its Go type. */
function invalidRule(field: string, rule: ValidationRule, detail: string): FieldError {
  const { message = "", messageExpression = "", reason = null, fieldPath = "", optionalOldSelf = null } = rule;
  const printed = goJson({
    Rule: rule.rule,
    Message: message,
    MessageExpression: messageExpression,
    Reason: reason,
    FieldPath: fieldPath,
    OptionalOldSelf: optionalOldSelf,
  });
  return { ...invalid(field, { ...rule }, detail), printed };
}

function below(visit: Visit, schema: Schema): Visit {
  return { ...visit, schema, isResource: schema["x-kubernetes-embedded-resource"] === true };
}

/** How many elements or entries a value has at most; undefined without a limit. */
function elementsOf({ type, additionalProperties, maxProperties, maxItems }: Schema): number | undefined {
  const limit =
    type === "array" ? maxItems : type === "object" && additionalProperties !== undefined ? maxProperties : 1;
  return limit === undefined ? undefined : Math.max(limit, 0);
}

function multiplied(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : Math.min(unbounded, one * other);
}

function overBudget(what: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const shown = factor > 100 ? "more than 100x" : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
  return `${what} exceeds budget by factor of ${shown} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}
