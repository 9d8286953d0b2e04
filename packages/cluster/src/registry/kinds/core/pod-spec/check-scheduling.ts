import { duplicate, invalid, notSupported, required } from "@kubewright/core/schema";
import type { PodSpec, TopologySpreadConstraint } from "kubewright/k8s/core/v1";
import type { Decoded } from "../../../decoded.js";
import { labelValue, qualifiedName } from "../../../name-rules.js";
import { checkLabelSelector, checkName, checkOptionalEnum, type Errors, entriesAt } from "../../../validation/index.js";
import { checkLabelKeys } from "./check-label-keys.js";

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** Validates tolerations. */
export function checkTolerations(spec: Pick<Decoded<PodSpec>, "tolerations">, field: string, errors: Errors): void {
  for (const [toleration, at] of entriesAt(spec, "tolerations", field)) {
    const { key = "", operator = "", value = "", effect = "", tolerationSeconds } = toleration;
    if (key !== "") checkName(key, qualifiedName, `${at}.key`, errors);
    else if (operator !== "Exists")
      errors.push(
        invalid(
          `${at}.operator`,
          operator,
          'operator must be Exists when `key` is empty, which means "match all values and all keys"',
        ),
      );
    if (tolerationSeconds !== undefined && effect !== "NoExecute")
      errors.push(invalid(`${at}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
    if (operator === "" || operator === "Equal") {
      const problems = labelValue(value);
      if (problems.length > 0) errors.push(invalid(`${at}.operator`, value, problems.join(";")));
    } else if (operator === "Exists") {
      if (value !== "")
        errors.push(invalid(`${at}.operator`, value, "value must be empty when `operator` is 'Exists'"));
    } else
      errors.push(
        notSupported(
          `${at}.operator`,
          operator,
          operator === "Lt" || operator === "Gt" ? ["Equal", "Exists", "Lt", "Gt"] : ["Equal", "Exists"],
        ),
      );
    if (effect !== "") checkOptionalEnum(effect, effects, `${at}.effect`, errors);
  }
}

/** Validates topologySpreadConstraints. */
export function checkTopologySpread(spec: Decoded<PodSpec>, field: string, errors: Errors): void {
  const seen = new Map<string, number>();
  for (const { topologyKey = "", whenUnsatisfiable = "" } of spec.topologySpreadConstraints ?? []) {
    const pair = `{${topologyKey}, ${whenUnsatisfiable}}`;
    seen.set(pair, (seen.get(pair) ?? 0) + 1);
  }
  for (const [constraint, at] of entriesAt(spec, "topologySpreadConstraints", field)) {
    const { whenUnsatisfiable: action = "", maxSkew = 0, topologyKey: key = "" } = constraint;
    if (maxSkew <= 0) errors.push(invalid(`${at}.maxSkew`, maxSkew, "must be greater than zero"));
    if (key === "") errors.push(required(`${at}.topologyKey`, "can not be empty"));
    checkOptionalEnum(action, ["DoNotSchedule", "ScheduleAnyway"], `${at}.whenUnsatisfiable`, errors);
    const pair = `{${key}, ${action}}`;
    const left = (seen.get(pair) ?? 0) - 1;
    seen.set(pair, left);
    if (left > 0) errors.push(duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, pair));
    checkSpreadDetails(constraint, at, errors);
  }
}

function checkSpreadDetails(constraint: Decoded<TopologySpreadConstraint>, at: string, errors: Errors): void {
  const { minDomains: domains, whenUnsatisfiable: action = "" } = constraint;
  if (domains !== undefined && domains <= 0)
    errors.push(invalid(`${at}.minDomains`, domains, "must be greater than zero"));
  if (domains !== undefined && action !== "DoNotSchedule")
    errors.push(
      invalid(`${at}.minDomains`, domains, `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`),
    );
  for (const kind of ["nodeAffinityPolicy", "nodeTaintsPolicy"] as const)
    checkOptionalEnum(constraint[kind], ["Honor", "Ignore"], `${at}.${kind}`, errors);
  checkLabelKeys(constraint, at, errors);
  checkLabelSelector(constraint.labelSelector, `${at}.labelSelector`, errors);
}

/** Validates readinessGates and schedulingGates. */
export function checkGates(spec: Decoded<PodSpec>, field: string, errors: Errors): void {
  for (const [gate, at] of entriesAt(spec, "readinessGates", field))
    checkName(gate.conditionType ?? "", qualifiedName, `${at}.conditionType`, errors);
  const seen = new Set<string>();
  for (const [{ name = "" }, at] of entriesAt(spec, "schedulingGates", field)) {
    checkName(name, qualifiedName, at, errors);
    if (seen.has(name)) errors.push(duplicate(at, name));
    seen.add(name);
  }
}
