import type { JsonObject } from "@kubewright/core/json";
import {
  inCase,
  inEffect,
  mutating,
  mutatingBindings,
  mutatingPolicies,
  validating,
  validatingBindings,
  validatingPolicies,
} from "../requests/policy-objects.js";
import { type RequestStep, remove } from "../test-case.js";
import type { FuzzKind } from "./builtin-objects.js";
import type { Chooser } from "./chooser.js";
import { randomCondition } from "./random-rules.js";

/** Steps that bring random policies for the kind of a case into effect, and steps that delete them. */
export function randomPolicies(
  choose: Chooser,
  { apiVersion, path }: FuzzKind,
  spec: JsonObject | undefined,
): { readonly before: readonly RequestStep[]; readonly after: readonly RequestStep[] } {
  const [group = "", version = ""] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  const operations = choose.of([["CREATE"], ["UPDATE"], ["CREATE", "UPDATE"], ["*"], ["DELETE"]]);
  const rule = (given: readonly string[]): JsonObject => ({
    apiGroups: [group],
    apiVersions: [version],
    operations: [...given],
    resources: [path.split("/").at(-1) ?? ""],
    scope: "Namespaced",
  });
  const condition = (): string => conditionOf(choose, spec);
  const policy: JsonObject = {
    matchConstraints: inCase(rule(operations)),
    failurePolicy: choose.of(["Fail", "Fail", "Ignore"]),
    ...(choose.chance(25) ? { matchConditions: [{ name: "a", expression: condition() }] } : {}),
    ...(choose.chance(30) ? { variables: [{ name: "v", expression: condition() }] } : { variables: [] }),
    validations: Array.from({ length: 1 + choose.below(3) }, () => ({
      expression: condition(),
      ...(choose.chance(30) ? { messageExpression: "'of ' + request.operation" } : {}),
      ...(choose.chance(30) ? { reason: choose.of(["Forbidden", "Invalid", "RequestEntityTooLarge"]) } : {}),
    })),
  };
  const actions = choose.of([["Deny"], ["Deny"], ["Warn"], ["Audit"], ["Deny", "Audit"]]);
  const mutation = choose.of<JsonObject>([
    apply('Object{metadata: Object.metadata{annotations: {"mutated": "yes"}}}'),
    apply('Object{metadata: Object.metadata{labels: {"operation": request.operation}}}'),
    json('[JSONPatch{op: "add", path: "/metadata/annotations", value: {"replaced": "yes"}}]'),
    json('has(object.metadata.labels) ? [JSONPatch{op: "remove", path: "/metadata/labels"}] : []'),
    apply('Object{metadata: Object.metadata{annotations: {"spec": string(has(object.spec))}}}'),
  ]);
  const mutates = choose.chance(40);
  return {
    before: [
      ...validating(policy, { validationActions: [...actions] }),
      ...(mutates ? mutating({ matchConstraints: inCase(rule(["CREATE", "UPDATE"])), mutations: [mutation] }) : []),
      ...inEffect(),
    ],
    after: [validatingBindings, validatingPolicies, mutatingBindings, mutatingPolicies].flatMap((collection) =>
      ["{ns}", "marker.{ns}"].map((name) => remove(`${collection}/${name}`, undefined, { silent: true })),
    ),
  };
}

const apply = (expression: string): JsonObject => ({
  patchType: "ApplyConfiguration",
  applyConfiguration: { expression },
});
const json = (expression: string): JsonObject => ({ patchType: "JSONPatch", jsonPatch: { expression } });

function conditionOf(choose: Chooser, spec: JsonObject | undefined): string {
  const metadata = [
    "object == null || object.metadata.name != 'b'",
    "!has(object.metadata.labels) || object.metadata.labels.size() < 2",
    "object.metadata.name.size() < 2",
    "oldObject == null || object == null || oldObject.metadata.resourceVersion == object.metadata.resourceVersion",
    "request.operation != 'UPDATE' || request.dryRun",
    "object.metadata.labels.app == 'web'",
    "oldObject.metadata.generation > 1",
    "namespaceObject.metadata.name == request.namespace",
    "object.metadata.?annotations.orValue({}).all(k, k.size() < 8)",
    "has(object.spec) && object.spec == object.spec",
  ];
  return spec === undefined || choose.chance(35)
    ? choose.of(metadata)
    : dynamic(randomCondition(choose, spec, "object.spec", 2));
}

/** Types are known at run time only: an expression must say that it is a bool. */
function dynamic(condition: string): string {
  return `(${condition}) == true`;
}
