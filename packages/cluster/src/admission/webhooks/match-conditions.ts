import {
  type AccessQuestion,
  AuthorizerValue,
  type CelValue,
  celValue,
  type Evaluation,
  type Program,
} from "@kubewright/core/cel";
import type { JsonObject } from "@kubewright/core/json";
import { type Authorizer, authenticatedUser, type User } from "../../access/index.js";
import { compileCondition } from "../../registry/index.js";

/** The highest cost of one expression, and of all expressions of a webhook, in cel-go's units. */
const costPerExpression = 1_000_000;
const costPerWebhook = 2_500_000;

/** What the expressions read. */
export interface ConditionInput {
  /** The `request` of an AdmissionReview, without the objects. */
  readonly request: JsonObject;
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
  readonly user: User;
  readonly authorizer: Authorizer;
}

/** The result of match conditions: an error only with the failurePolicy Fail. */
export type ConditionResult =
  | { readonly kind: "matches" | "differs" }
  | { readonly kind: "failed"; readonly why: string };

/** The match conditions of a webhook or a policy, compiled on first use. */
export class MatchConditions {
  readonly #expressions: readonly string[];
  readonly #failsOpen: boolean;
  #programs: readonly (Program | string)[] | undefined;

  constructor(conditions: readonly { readonly expression?: string | undefined }[], failurePolicy: string) {
    this.#expressions = conditions.map(({ expression = "" }) => expression);
    this.#failsOpen = failurePolicy === "Ignore";
  }

  /** Evaluates all conditions. One that is false decides; otherwise an error is left to the failurePolicy. */
  evaluate(input: ConditionInput): ConditionResult {
    this.#programs ??= this.#expressions.map((expression) => {
      const compiled = compileCondition(expression);
      return compiled.kind === "program" ? compiled.program : compiled.message;
    });
    const bindings = bindingsOf(input);
    const errors: string[] = [];
    let left = costPerWebhook;
    for (const [index, program] of this.#programs.entries()) {
      const expression = this.#expressions[index]?.trim() ?? "";
      if (typeof program === "string") {
        errors.push(`compilation error: ${program}`);
        continue;
      }
      const result: Evaluation = program.evaluate(bindings, Math.min(costPerExpression, left));
      left -= result.cost;
      if (result.kind === "cost-exceeded" && left < costPerExpression)
        return this.#failed([
          "validation failed due to running out of cost budget, no further validation rules will be run",
        ]);
      if (result.kind !== "value") errors.push(`expression '${expression}' resulted in error: ${result.message}`);
      else if (result.value === false) return { kind: "differs" };
    }
    return errors.length === 0 ? { kind: "matches" } : this.#failed(errors);
  }

  #failed(errors: readonly string[]): ConditionResult {
    if (this.#failsOpen) return { kind: "differs" };
    const [first = ""] = errors;
    return { kind: "failed", why: errors.length === 1 ? first : `[${errors.join(", ")}]` };
  }
}

function bindingsOf({ request, object, oldObject, user, authorizer }: ConditionInput): Record<string, CelValue> {
  const value = authorizerOf(authorizer, user);
  const { resource, subResource = "", namespace = "", name = "" } = request;
  const { group = "", resource: plural = "" } = resource as { readonly group?: string; readonly resource?: string };
  const question = {
    kind: "resource",
    group,
    resource: plural,
    subresource: String(subResource),
    namespace: String(namespace),
    name: String(name),
    fieldSelector: "",
    labelSelector: "",
  } as const;
  return {
    request: celValue(request),
    object: object === undefined ? null : celValue(object),
    oldObject: oldObject === undefined ? null : celValue(oldObject),
    namespaceObject: null,
    authorizer: value,
    "authorizer.requestResource": value.check(question),
  };
}

/** The variable `authorizer` for the user of a request. */
export function authorizerOf(authorizer: Authorizer, user: User): AuthorizerValue {
  return new AuthorizerValue((question: AccessQuestion, verb, account) => {
    const asked = account
      ? authenticatedUser(`system:serviceaccount:${account.namespace}:${account.name}`, [
          "system:serviceaccounts",
          `system:serviceaccounts:${account.namespace}`,
        ])
      : user;
    const { allowed, reason } = authorizer.authorize(
      asked,
      question.kind === "path"
        ? { kind: "path", verb, path: question.path }
        : {
            kind: "resource",
            verb,
            group: question.group,
            resource: question.resource,
            subresource: question.subresource,
            namespace: question.namespace,
            name: question.name,
          },
    );
    return { isAllowed: allowed, reason, error: "" };
  });
}
