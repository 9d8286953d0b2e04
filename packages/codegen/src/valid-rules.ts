import { checkRules } from "@kubewright/core/cel";
import { OperatorError } from "@kubewright/core/errors";
import { formatFieldError, type Schema } from "@kubewright/core/schema";
import type { CustomResourceDefinition } from "kubewright/crd";

/** Throws DEFINITION_INVALID for a CEL rule that an API server would reject, with its place in the schema, and the column of the error. */
export function requireValidRules({ spec }: CustomResourceDefinition): void {
  for (const { name, schema } of spec.versions) {
    const errors = checkRules(schema.openAPIV3Schema as Schema, `${name}.schema`);
    if (errors.length === 0) continue;
    const listed = errors.map((error) => `\n- ${formatFieldError(error)}`).join("");
    throw new OperatorError(
      "DEFINITION_INVALID",
      `Cannot generate the CRD of ${spec.names.kind}: an API server would reject these CEL rules:${listed}`,
    );
  }
}
