import { forbidden, required } from "@kubewright/core/schema";
import type { MutatingAdmissionPolicy, ValidatingAdmissionPolicy } from "kubewright/k8s/admissionregistration/v1";
import type { Decoded } from "../../decoded.js";
import { childDraft } from "../../draft.js";
import type { Extensions } from "../../extensions/index.js";
import { subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import { checkOptionalEnum, checkPresent, type Errors } from "../../validation/index.js";
import { specChanged } from "../spec-and-status.js";
import { checkConditions, checkMatch, defaultMatch } from "./admission-rules.js";

const notEvaluated =
  'policies are written in CEL, which this server does not evaluate: remove them, or start it with `--unevaluated-policies=warn` (`unevaluatedPolicies: "warn"`) to accept them without effect';

/** The warning for a policy that is accepted without effect. */
export const withoutEffect = "spec: expressions in CEL are not evaluated by this server; the policy has no effect";

type Policy = ValidatingAdmissionPolicy | MutatingAdmissionPolicy;

/** The common strategy of admission policies. */
export const policy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: false,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    spec.failurePolicy ||= "Fail";
    if (spec.matchConstraints) defaultMatch(spec.matchConstraints);
  },
  isNewGeneration: specChanged,
} satisfies Partial<Strategy<Policy>>;

/** Rejects CEL expressions, unless the server accepts them without effect. */
export function rejectExpressions(field: string, errors: Errors, extensions: Extensions): void {
  if (errors.length === 0 && extensions.policies !== "warn") errors.push(forbidden(field, notEvaluated));
}

/** The cell of the ParamKind column. */
export function printParameterKind(object: Decoded<Policy>): string {
  const type = object.spec?.paramKind;
  return type ? `${type.apiVersion}/${type.kind}` : "<unset>";
}

/** Validates the match constraints and match conditions of a policy. */
export function checkMatching(spec: Decoded<Policy["spec"]>, errors: Errors): void {
  checkOptionalEnum(spec.failurePolicy, ["Fail", "Ignore"], "spec.failurePolicy", errors);
  if (spec.paramKind) checkPresent(spec.paramKind, ["apiVersion", "kind"], "spec.paramKind", errors);
  const match = spec.matchConstraints;
  if (!match) errors.push(required("spec.matchConstraints"));
  else {
    checkMatch(match, "spec.matchConstraints", errors);
    if (!match.resourceRules) errors.push(required("spec.matchConstraints.resourceRules"));
  }
  checkConditions(spec, "spec", errors);
}
