import { type CallCost, type FunctionDecl, member, type Overload } from "../check/overload.js";
import { add, type EstimateCall, fixed, scale } from "../cost/estimate.js";
import { boolType, type CelType, stringType, structType, type TypeOf } from "../types/cel-type.js";
import { EvalFailure } from "../values/eval-failure.js";
import { costSize, stringFactor } from "../values/sizes.js";
import { type CelValue, OpaqueValue } from "../values/value.js";
import type { Library } from "./library.js";
import { dnsLabelProblems, dnsSubdomainProblems } from "./name-formats.js";

/** What an authorizer is asked: a path, or a resource. */
export type AccessQuestion =
  | { readonly kind: "path"; readonly path: string }
  | {
      readonly kind: "resource";
      readonly group: string;
      readonly resource: string;
      readonly subresource: string;
      readonly namespace: string;
      readonly name: string;
      readonly fieldSelector: string;
      readonly labelSelector: string;
    };

/** The decision of an authorizer. */
export interface AccessDecision {
  readonly isAllowed: boolean;
  readonly reason: string;
  /** Empty when the authorizer could decide. */
  readonly error: string;
}

/** Decides whether a user may do something. A ServiceAccount is asked for instead of the user where one is given. */
export type Authorize = (
  question: AccessQuestion,
  verb: string,
  serviceAccount: { readonly namespace: string; readonly name: string } | undefined,
) => AccessDecision;

/** The ServiceAccount that is asked for; undefined for the user of the request. */
export type ServiceAccount = Parameters<Authorize>[2];
/** The question whether a request for a resource is allowed. */
export type ResourceQuestion = Extract<AccessQuestion, { kind: "resource" }>;

/** The type of the variable `authorizer`. */
export const authorizerType: TypeOf<AuthorizerValue> = structType("kubernetes.authorization.Authorizer");
const pathCheckType: TypeOf<CheckValue> = structType("kubernetes.authorization.PathCheck");
const groupCheckType: TypeOf<GroupValue> = structType("kubernetes.authorization.GroupCheck");
/** The type of the variable `authorizer.requestResource`. */
export const resourceCheckType: TypeOf<CheckValue> = structType("kubernetes.authorization.ResourceCheck");
const decisionType: TypeOf<DecisionValue> = structType("kubernetes.authorization.Decision");

/** A value that equals only itself. */
export abstract class IdentityValue extends OpaqueValue {
  equals(other: OpaqueValue): boolean {
    return other === this;
  }
}

/** The variable `authorizer`. */
export class AuthorizerValue extends IdentityValue {
  readonly type: CelType = authorizerType;
  readonly authorize: Authorize;
  readonly serviceAccount: ServiceAccount;

  constructor(authorize: Authorize, serviceAccount?: ServiceAccount) {
    super();
    this.authorize = authorize;
    this.serviceAccount = serviceAccount;
  }

  /** The variable `authorizer.requestResource`. */
  check(question: AccessQuestion): CheckValue {
    return new CheckValue(this, question);
  }
}

class GroupValue extends IdentityValue {
  readonly type: CelType = groupCheckType;
  readonly authorizer: AuthorizerValue;
  readonly group: string;

  constructor(authorizer: AuthorizerValue, group: string) {
    super();
    this.authorizer = authorizer;
    this.group = group;
  }
}

/** A check of a path or a resource, before its verb is known. */
export class CheckValue extends IdentityValue {
  readonly authorizer: AuthorizerValue;
  readonly question: AccessQuestion;

  constructor(authorizer: AuthorizerValue, question: AccessQuestion) {
    super();
    this.authorizer = authorizer;
    this.question = question;
  }

  get type(): CelType {
    return this.question.kind === "path" ? pathCheckType : resourceCheckType;
  }

  with(change: Partial<Omit<ResourceQuestion, "kind">>): CheckValue {
    if (this.question.kind === "path") return this;
    return new CheckValue(this.authorizer, { ...this.question, ...change });
  }

  decide(verb: string): DecisionValue {
    const { authorize, serviceAccount } = this.authorizer;
    return new DecisionValue(authorize(this.question, verb, serviceAccount));
  }
}

/** The decision of an authorizer about a check. */
export class DecisionValue extends IdentityValue {
  readonly type: CelType = decisionType;
  readonly decision: AccessDecision;

  constructor(decision: AccessDecision) {
    super();
    this.decision = decision;
  }
}

function serviceAccount({ authorize }: AuthorizerValue, namespace: string, name: string): AuthorizerValue {
  if (dnsSubdomainProblems(name, false).length > 0) throw new EvalFailure("Invalid service account name");
  if (dnsLabelProblems(namespace, false).length > 0) throw new EvalFailure("Invalid service account namespace");
  return new AuthorizerValue(authorize, { namespace, name });
}

/** Two checks are what one expression may afford. */
const checkCost = 350_000;

function nominal(name: string, ...overloads: Overload[]): FunctionDecl {
  return { name, overloads };
}

function checked(...overloads: Overload[]): FunctionDecl {
  return { name: "check", overloads, cost: () => checkCost, estimate: () => ({ cost: fixed(checkCost) }) };
}

const selectorCost: CallCost = ([, selector]) => {
  const size = costSize(selector as CelValue);
  return 10 + Math.ceil(size * stringFactor) + Math.ceil(Math.ceil(size * 0.5) * 50);
};

const estimateSelector: EstimateCall = ({ args: [selector], sizeOf }) => {
  if (selector === undefined) return undefined;
  const size = sizeOf(selector);
  return { cost: add(add(fixed(10), scale(size, stringFactor)), scale(scale(size, 0.5), 50)) };
};

function selector(name: "fieldSelector" | "labelSelector"): FunctionDecl {
  const id = `authorizer_${name.toLowerCase()}`;
  return {
    name,
    overloads: [
      member(id, [resourceCheckType, stringType], resourceCheckType, (check, text) => check.with({ [name]: text })),
    ],
    cost: selectorCost,
    estimate: estimateSelector,
  };
}

function narrowed(name: "subresource" | "namespace" | "name"): FunctionDecl {
  const id = `resourcecheck_${name}`;
  return nominal(
    name,
    member(id, [resourceCheckType, stringType], resourceCheckType, (check, text) => check.with({ [name]: text })),
  );
}

const functions: readonly FunctionDecl[] = [
  nominal(
    "path",
    member("authorizer_path", [authorizerType, stringType], pathCheckType, (authorizer, path) => {
      if (path.trim() === "") throw new EvalFailure("path must not be empty");
      return authorizer.check({ kind: "path", path });
    }),
  ),
  nominal(
    "group",
    member(
      "authorizer_group",
      [authorizerType, stringType],
      groupCheckType,
      (authorizer, group) => new GroupValue(authorizer, group),
    ),
  ),
  nominal(
    "serviceAccount",
    member("authorizer_serviceaccount", [authorizerType, stringType, stringType], authorizerType, serviceAccount),
  ),
  nominal(
    "resource",
    member(
      "groupcheck_resource",
      [groupCheckType, stringType],
      resourceCheckType,
      ({ authorizer, group }, resource) => {
        if (resource.trim() === "") throw new EvalFailure("resource must not be empty");
        const rest = { subresource: "", namespace: "", name: "", fieldSelector: "", labelSelector: "" };
        return authorizer.check({ kind: "resource", group, resource, ...rest });
      },
    ),
  ),
  narrowed("subresource"),
  narrowed("namespace"),
  narrowed("name"),
  checked(
    member("pathcheck_check", [pathCheckType, stringType], decisionType, (check, verb) => check.decide(verb)),
    member("resourcecheck_check", [resourceCheckType, stringType], decisionType, (check, verb) => check.decide(verb)),
  ),
  nominal(
    "errored",
    member("decision_errored", [decisionType], boolType, ({ decision }) => decision.error !== ""),
  ),
  nominal(
    "error",
    member("decision_error", [decisionType], stringType, ({ decision }) => decision.error),
  ),
  nominal(
    "allowed",
    member("decision_allowed", [decisionType], boolType, ({ decision }) => decision.isAllowed),
  ),
  nominal(
    "reason",
    member("decision_reason", [decisionType], stringType, ({ decision }) => decision.reason),
  ),
];

/** Access decisions, since 1.27; their selectors since 1.31. */
export const authorizerLibraries: readonly Library[] = [
  { name: "authorizer", since: 27, functions },
  { name: "authorizerSelectors", since: 31, functions: [selector("fieldSelector"), selector("labelSelector")] },
];
