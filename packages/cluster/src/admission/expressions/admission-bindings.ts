import { type AccessQuestion, AuthorizerValue, type CelValue, celValue } from "@kubewright/core/cel";
import type { JsonObject } from "@kubewright/core/json";
import { type Authorizer, authenticatedUser, type User } from "../../access/index.js";

/** What the expressions of one webhook or policy read. */
export interface ExpressionInput {
  /** See `requestObject`. */
  readonly request: JsonObject;
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
  /** The Namespace of the request. @default none */
  readonly namespace?: JsonObject | undefined;
  /** The parameters of a policy. @default none */
  readonly params?: JsonObject | undefined;
  readonly user: User;
  readonly authorizer: Authorizer;
}

/** The values of the variables of an expression. */
export function admissionBindings(input: ExpressionInput): Readonly<Record<string, CelValue>> {
  const { request, object, oldObject, namespace, params } = input;
  const authorizer = authorizerValue(input);
  const { resource, subResource = "", namespace: inNamespace = "", name = "" } = request;
  const { group = "", resource: plural = "" } = resource as { readonly group?: string; readonly resource?: string };
  const question = {
    kind: "resource",
    group,
    resource: plural,
    subresource: String(subResource),
    namespace: String(inNamespace),
    name: String(name),
    fieldSelector: "",
    labelSelector: "",
  } as const;
  return {
    request: celValue(request),
    object: celObject(object),
    oldObject: celObject(oldObject),
    namespaceObject: celObject(namespace),
    params: celObject(params),
    authorizer,
    "authorizer.requestResource": authorizer.check(question),
  };
}

function celObject(object: JsonObject | undefined): CelValue {
  return object === undefined ? null : celValue(object);
}

/** The variable `authorizer`, for the user of a request. */
function authorizerValue({ authorizer, user }: ExpressionInput): AuthorizerValue {
  return new AuthorizerValue((question: AccessQuestion, verb, account) => {
    const asked = account
      ? authenticatedUser(`system:serviceaccount:${account.namespace}:${account.name}`, [
          "system:serviceaccounts",
          `system:serviceaccounts:${account.namespace}`,
        ])
      : user;
    const attributes =
      question.kind === "path"
        ? ({ kind: "path", verb, path: question.path } as const)
        : ({
            kind: "resource",
            verb,
            group: question.group,
            resource: question.resource,
            subresource: question.subresource,
            namespace: question.namespace,
            name: question.name,
          } as const);
    const { allowed, reason } = authorizer.authorize(asked, attributes);
    return { isAllowed: allowed, reason, error: "" };
  });
}
