import { deepEqual } from "@kubewright/core/json";
import { forbidden, invalid } from "@kubewright/core/schema";
import type { PodSpec, Toleration } from "kubewright/k8s/core/v1";
import type { Decoded } from "../../../decoded.js";
import { changedPaths, checkRange, type Errors, entriesAt } from "../../../validation/index.js";
import { checkTolerations } from "../pod-spec/index.js";

/** The mutable fields of a pod's spec, for the message. */
const mutableFields = [
  "`spec.containers[*].image`",
  "`spec.initContainers[*].image`",
  "`spec.activeDeadlineSeconds`",
  "`spec.tolerations` (only additions to existing tolerations)",
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
].join(",");

const containerLists = ["containers", "initContainers"] as const;

/** Validates an update of a pod's spec. */
export function checkPodUpdate(spec: Decoded<PodSpec>, old: Decoded<PodSpec>, errors: Errors): void {
  for (const list of containerLists)
    if (spec[list]?.length !== old[list]?.length)
      return void errors.push(forbidden(`spec.${list}`, "pod updates may not add or remove containers"));
  checkDeadline(spec, old, errors);
  checkAddedTolerations(spec, old, errors);
  checkRemovedGates(spec, old, errors);
  const masked = withOldMutableFields(spec, old);
  if (!deepEqual(masked, old))
    errors.push(
      forbidden(
        "spec",
        `pod updates may not change fields other than ${mutableFields}: ${changedPaths(old, masked, "spec")}`,
      ),
    );
}

function checkDeadline(
  { activeDeadlineSeconds: now }: Decoded<PodSpec>,
  { activeDeadlineSeconds: before }: Decoded<PodSpec>,
  errors: Errors,
): void {
  const field = "spec.activeDeadlineSeconds";
  if (now === undefined) {
    if (before !== undefined) errors.push(invalid(field, null, "must not update from a positive integer to nil value"));
    return;
  }
  checkRange(now, { min: 0, max: 2147483647, field, errors });
  if (before !== undefined && before < now)
    errors.push(invalid(field, now, "must be less than or equal to previous value"));
}

function checkAddedTolerations(spec: Decoded<PodSpec>, old: Decoded<PodSpec>, errors: Errors): void {
  const plain = ({ tolerationSeconds: _, ...rest }: Decoded<Toleration>): Decoded<Toleration> => rest;
  const now = (spec.tolerations ?? []).map(plain);
  for (const before of old.tolerations ?? [])
    if (!now.some((one) => deepEqual(one, plain(before))))
      return void errors.push(
        forbidden("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds"),
      );
  checkTolerations(spec, "spec", errors);
}

function checkRemovedGates(spec: Decoded<PodSpec>, old: Decoded<PodSpec>, errors: Errors): void {
  const known = new Set(old.schedulingGates?.map((gate) => gate.name));
  for (const [{ name }, at] of entriesAt(spec, "schedulingGates", "spec"))
    if (!known.has(name))
      errors.push(forbidden(`${at}.name`, `only deletion is allowed, but found new scheduling gate '${name ?? ""}'`));
}

/** The new spec with the old values of the mutable fields: it must equal the old spec. */
function withOldMutableFields(spec: Decoded<PodSpec>, old: Decoded<PodSpec>): Decoded<PodSpec> {
  type Fields = { -readonly [Key in keyof PodSpec]?: NonNullable<Decoded<PodSpec>[Key]> };
  const result: Fields = { ...spec };
  const keepOld = <Key extends keyof Fields>(key: Key): void => {
    if (old[key] === undefined) delete result[key];
    else result[key] = old[key];
  };
  for (const list of containerLists)
    if (spec[list])
      result[list] = spec[list].map((container, at) => ({ ...container, image: old[list]?.[at]?.image ?? "" }));
  for (const key of ["activeDeadlineSeconds", "schedulingGates", "tolerations"] as const) keepOld(key);
  if (old.schedulingGates?.length) keepOld("nodeSelector");
  if ((old.terminationGracePeriodSeconds ?? 0) < 0 && spec.terminationGracePeriodSeconds === 1)
    keepOld("terminationGracePeriodSeconds");
  return result;
}
