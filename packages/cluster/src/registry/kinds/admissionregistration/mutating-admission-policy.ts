import { invalid, notSupported, required } from "@kubewright/core/schema";
import type { MutatingAdmissionPolicy, Mutation } from "kubewright/k8s/admissionregistration/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import type { Decoded } from "../../decoded.js";
import type { Strategy } from "../../strategy.js";
import { checkEnum, type Errors, entriesAt } from "../../validation/index.js";
import { checkMatching, checkVariables, compileErrors, policy, printParameterKind } from "./admission-policy.js";
import { checkMutableOperations } from "./admission-rules.js";
import { PolicyExpressions } from "./policy-expressions.js";

/** MutatingAdmissionPolicy. */
export const mutatingPolicyStrategy: Strategy<MutatingAdmissionPolicy> = {
  ...policy,
  validate({ spec = {} }) {
    const errors: Errors = [];
    checkMatching(spec, errors, () =>
      checkMutableOperations(spec.matchConstraints ?? {}, "spec.matchConstraints", errors),
    );
    const expressions = new PolicyExpressions(spec, true);
    checkVariables(spec, expressions, errors);
    if (!spec.mutations) errors.push(required("spec.mutations", "mutations must contain at least one item"));
    for (const [mutation, at] of entriesAt(spec, "mutations", "spec")) checkMutation(mutation, at, expressions, errors);
    checkEnum(spec.reinvocationPolicy ?? "", ["IfNeeded", "Never"], "spec.reinvocationPolicy", errors);
    return errors;
  },
  table: {
    columns: [
      nameColumn,
      { name: "Mutations", type: "integer", cell: (object) => object.spec?.mutations?.length ?? 0 },
      { name: "ParamKind", type: "string", cell: printParameterKind },
      ageColumn,
    ],
  },
};

const patchTypes = { ApplyConfiguration: "applyConfiguration", JSONPatch: "jsonPatch" } as const;

function checkMutation(mutation: Decoded<Mutation>, at: string, expressions: PolicyExpressions, errors: Errors): void {
  const { patchType = "" } = mutation;
  if (patchType === "") return void errors.push(required(`${at}.patchType`));
  if (patchType !== "ApplyConfiguration" && patchType !== "JSONPatch")
    return void errors.push(notSupported(`${at}.patchType`, patchType, Object.keys(patchTypes)));
  const field = patchTypes[patchType];
  const other = patchTypes[patchType === "JSONPatch" ? "ApplyConfiguration" : "JSONPatch"];
  const given = mutation[field];
  if (!given) errors.push(required(`${at}.${field}`, `must be specified when patchType is ${patchType}`));
  else {
    const expression = given.expression?.trim() ?? "";
    if (expression === "") errors.push(required(`${at}.${field}.expression`));
    else
      errors.push(
        ...compileErrors(`${at}.${field}.expression`, expression, expressions.mutation(patchType, expression)),
      );
  }
  if (mutation[other])
    errors.push(invalid(`${at}.${other}`, `{${other}}`, `must not be specified when patchType is ${patchType}`));
}
