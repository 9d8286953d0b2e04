import type { JsonObject } from "@kubewright/core/json";
import { area, type StepsWithOptions, withOptions } from "../scenario.js";
import { create, patch, type Step } from "../step.js";

const rule = (apiGroup: string, ...resources: readonly string[]): JsonObject => ({
  apiGroups: [apiGroup],
  apiVersions: ["v1"],
  operations: ["CREATE", "UPDATE"],
  resources: [...resources],
});
const deployments = rule("apps", "deployments");

/** A policy without a binding, so that it has no effect. */
function policy(name: string, validations: readonly JsonObject[], rest: JsonObject = {}): JsonObject {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: `${name}-{ns}` },
    spec: { matchConstraints: { resourceRules: [deployments] }, validations: [...validations], ...rest },
  };
}

const matching = (...resourceRules: readonly JsonObject[]): JsonObject => ({
  matchConstraints: { resourceRules: [...resourceRules] },
});
const expression = (text: string): JsonObject => ({ expression: text });

function policies(...steps: readonly Step[]): StepsWithOptions {
  return withOptions({ kinds: ["ValidatingAdmissionPolicy"] }, steps);
}

/** The type checks that kube-controller-manager writes to the status of ValidatingAdmissionPolicies. */
export const policyStatusArea = area("policy-status", {
  "a policy whose expressions are correct has no warnings": policies(
    create(
      policy("correct", [
        expression("object.spec.replicas < 5"),
        { expression: "has(object.spec.paused)", messageExpression: "'replicas: ' + string(object.spec.replicas)" },
        expression("object.spec.template.spec.containers.all(c, c.image.startsWith('a'))"),
        expression("request.operation != 'CREATE' || oldObject == null"),
      ]),
    ),
  ),
  "a field that the kind does not have is a warning": policies(
    create(
      policy("unknown", [
        expression("object.spec.replica < 5"),
        expression("has(object.spec.missing) && object.spec.replicas > 1"),
        { expression: "true", messageExpression: "string(object.spec.nothing)" },
        expression("object.metadata.labels.anything == 'a'"),
        expression("object.metadata.unknown == 'a'"),
      ]),
    ),
    patch("validatingadmissionpolicies/unknown-{ns}", { spec: { validations: [expression("object.spec.x == 1")] } }),
    patch("validatingadmissionpolicies/unknown-{ns}", {
      spec: { validations: [expression("object.spec.paused == true")] },
    }),
  ),
  "an operator without a matching overload is a warning": policies(
    create(
      policy("overload", [
        expression("object.spec.replicas > '5'"),
        expression("object.spec.replicas.startsWith('5')"),
        expression("object.spec.paused + 1 == 2"),
        expression("object.metadata.name.size() > 1 && object.metadata.labels.size() > 1.0"),
      ]),
    ),
  ),
  "each matched resource has its own warning": policies(
    create(
      policy(
        "several",
        [
          expression("object.spec.replicas < 5"),
          expression("object.data.a == 'b'"),
          expression("has(object.metadata)"),
        ],
        matching(rule("apps", "statefulsets", "deployments", "daemonsets"), rule("", "configmaps", "secrets")),
      ),
    ),
    create(policy("twice", [expression("object.spec.x == 1")], matching(deployments, deployments))),
  ),
  "wildcards, subresources and unknown resources are not checked": policies(
    create(policy("all", [expression("object.spec.x == 1")], matching(rule("*", "deployments")))),
    create(policy("any", [expression("object.spec.x == 1")], matching(rule("apps", "*")))),
    create(policy("scale", [expression("object.spec.x == 1")], matching(rule("apps", "deployments/scale")))),
    create(policy("none", [expression("object.spec.x == 1")], matching(rule("example.com", "things")))),
    create(
      policy("mixed", [expression("object.spec.x == 1")], matching(rule("apps", "deployments", "deployments/status"))),
    ),
  ),
  "variables and parameters are checked with their types": policies(
    create(
      policy("variables", [expression("variables.replicas > 'a'"), expression("variables.wrong > 1")], {
        variables: [
          { name: "replicas", expression: "object.spec.replicas" },
          { name: "wrong", expression: "object.spec.nothing" },
        ],
      }),
    ),
    create(
      policy("params", [expression("params.data.a == 'b'"), expression("params.spec.a == 'b'")], {
        paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      }),
    ),
  ),
});
