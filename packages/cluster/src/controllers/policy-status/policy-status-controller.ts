import type { JsonObject } from "@kubewright/core/json";
import { type Client, isNotFound, type RawController, rawController, watch } from "kubewright";
import { ValidatingAdmissionPolicy } from "kubewright/k8s/admissionregistration/v1";

/** Checks the expressions of a policy against the schemas that the API server knows. */
export type ExpressionWarnings = (
  policy: JsonObject,
) => readonly { readonly fieldRef: string; readonly warning: string }[];

/** Type-checks each generation of a ValidatingAdmissionPolicy, and writes the warnings to its status. */
export function policyStatusController(client: Client, warningsOf: ExpressionWarnings): RawController {
  const name = "validatingadmissionpolicy-status-controller";
  return rawController({
    name,
    fieldManager: name,
    watches: [watch(ValidatingAdmissionPolicy, { to: ({ metadata }) => metadata.name })],
    reconcile: async ({ key, find }) => {
      const policy = await find(ValidatingAdmissionPolicy, key);
      const { generation = 0 } = policy?.metadata ?? {};
      if (policy === undefined || generation <= (policy.status?.observedGeneration ?? 0)) return;
      const expressionWarnings = [...warningsOf(policy as unknown as JsonObject)];
      const typeChecking = expressionWarnings.length === 0 ? {} : { expressionWarnings };
      try {
        await client.applyStatus(
          ValidatingAdmissionPolicy,
          { metadata: { name: key }, status: { observedGeneration: generation, typeChecking } },
          { fieldManager: name, force: true },
        );
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
  });
}
