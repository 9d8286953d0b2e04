import { deployment } from "../objects.js";
import { area } from "../scenario.js";
import { create, remove, together, wait } from "../step.js";

const policies = "admissionregistration.k8s.io/v1";

/** A policy that denies to delete ReplicaSets in the namespace of the scenario. */
const denial = together(
  create({
    apiVersion: policies,
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "keep-{ns}" },
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: ["apps"], apiVersions: ["v1"], operations: ["DELETE"], resources: ["replicasets"] },
        ],
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "{ns}" } },
      },
      validations: [{ expression: "false" }],
    },
  }),
  create({
    apiVersion: policies,
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: "keep-{ns}" },
    spec: { policyName: "keep-{ns}", validationActions: ["Deny"] },
  }),
);

/** The garbage collector and admission. */
export const garbageCollectorArea = area("garbage-collector", {
  "a dependent whose deletion a policy denies stays, and is deleted once the policy allows it": [
    create(deployment("web")),
    denial,
    // A real server reads policies from a cache.
    wait(3),
    remove("deployments/web"),
    // The garbage collector retries with growing delays.
    together(remove("validatingadmissionpolicybindings/keep-{ns}"), wait(12)),
  ],
});
