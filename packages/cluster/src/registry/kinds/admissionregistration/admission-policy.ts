import type { Compiled } from "@kubewright/core/cel";
import { type FieldError, invalid, required } from "@kubewright/core/schema";
import type {
  MutatingAdmissionPolicy,
  ParamKind,
  ValidatingAdmissionPolicy,
  Variable,
} from "kubewright/k8s/admissionregistration/v1";
import type { Decoded } from "../../decoded.js";
import { childDraft } from "../../draft.js";
import { dns1035Label, subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import { checkOptionalEnum, type Errors, entriesAt } from "../../validation/index.js";
import { specChanged } from "../spec-and-status.js";
import { checkConditions, checkMatch, defaultMatch } from "./admission-rules.js";
import type { PolicyExpressions } from "./policy-expressions.js";

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

/** The cell of the ParamKind column. */
export function printParameterKind(object: Decoded<Policy>): string {
  const type = object.spec?.paramKind;
  return type ? `${type.apiVersion}/${type.kind}` : "<unset>";
}

/** Validates the match constraints and match conditions of a policy. */
export function checkMatching(spec: Decoded<Policy["spec"]>, errors: Errors, checkMore?: () => void): void {
  checkOptionalEnum(spec.failurePolicy, ["Fail", "Ignore"], "spec.failurePolicy", errors);
  if (spec.paramKind) checkParameterKind(spec.paramKind, "spec.paramKind", errors);
  const match = spec.matchConstraints;
  if (!match) errors.push(required("spec.matchConstraints"));
  else {
    checkMatch(match, "spec.matchConstraints", errors);
    if (!match.resourceRules) errors.push(required("spec.matchConstraints.resourceRules"));
    checkMore?.();
  }
  checkConditions(spec, "spec", errors, { params: spec.paramKind !== undefined });
}

function checkParameterKind({ apiVersion = "", kind = "" }: Decoded<ParamKind>, field: string, errors: Errors): void {
  const parts = apiVersion === "/" ? ["", ""] : apiVersion.split("/");
  const [group = "", version = ""] = parts.length === 1 ? ["", apiVersion] : parts;
  const at = `${field}.apiVersion`;
  if (apiVersion === "") errors.push(required(at));
  else if (parts.length > 2) errors.push(invalid(at, apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
  else {
    const problems = group === "" ? [] : subdomainName(group);
    if (problems.length > 0) errors.push(invalid(at, group, problems.join(",")));
    const wrong = dns1035Label(version);
    if (version === "") errors.push(invalid(at, apiVersion, "version must be specified"));
    else if (wrong.length > 0) errors.push(invalid(at, version, wrong.join(",")));
  }
  const problems = dns1035Label(kind.toLowerCase());
  if (kind === "") errors.push(required(`${field}.kind`));
  else if (problems.length > 0) {
    const why = `may have mixed case, but should otherwise match: ${problems.join(",")}`;
    errors.push(invalid(`${field}.kind`, kind, why));
  }
}

const reservedNames: ReadonlySet<string> = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);

/** Validates the variables of a policy, and makes them known to its other expressions. */
export function checkVariables(
  spec: Decoded<{ variables?: Variable[] }>,
  expressions: PolicyExpressions,
  errors: Errors,
): void {
  for (const [{ name = "", expression = "" }, at] of entriesAt(spec, "variables", "spec")) {
    if (name.trim() === "") errors.push(required(`${at}.name`, "name is not specified"));
    else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) || reservedNames.has(name))
      errors.push(invalid(`${at}.name`, name, "must be a valid CEL identifier"));
    if (expression.trim() === "") errors.push(required(`${at}.expression`, "expression is not specified"));
    else errors.push(...compileErrors(`${at}.expression`, expression, expressions.variable(name, expression)));
  }
}

/** The error of an expression that was rejected. */
export function compileErrors(field: string, expression: string, compiled: Compiled): readonly FieldError[] {
  return compiled.kind === "rejected" ? [invalid(field, expression, compiled.message)] : [];
}
