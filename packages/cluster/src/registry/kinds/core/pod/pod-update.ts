import { deepEqual, isJsonObject, type JsonObject } from "@kubewright/core/json";
import { forbidden, invalid, required } from "@kubewright/core/schema";
import { listAt, numberAt, optionalNumber, textAt } from "../../../draft.js";
import { changedPaths, checkRange, type Errors, entriesAt } from "../../../validation/index.js";
import { checkTolerations } from "../pod-spec/index.js";

/** The mutable fields of a pod's spec, for the message. */
const changeable = [
  "`spec.containers[*].image`",
  "`spec.initContainers[*].image`",
  "`spec.activeDeadlineSeconds`",
  "`spec.tolerations` (only additions to existing tolerations)",
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
].join(",");

/** Validates an update of a pod's spec. */
export function checkPodUpdate(spec: JsonObject, old: JsonObject, errors: Errors): void {
  for (const list of ["containers", "initContainers"]) {
    if (listAt(spec, list).length !== listAt(old, list).length)
      return void errors.push(forbidden(`spec.${list}`, "pod updates may not add or remove containers"));
    for (const [container, at] of entriesAt(spec, list, "spec")) {
      const image = textAt(container, "image");
      if (image === "") errors.push(required(`${at}.image`));
      if (image !== image.trim())
        errors.push(invalid(`${at}.image`, image, "must not have leading or trailing whitespace"));
    }
  }
  checkDeadline(spec, old, errors);
  checkAddedTolerations(spec, old, errors);
  checkRemovedGates(spec, old, errors);
  const kept = withOldParts(spec, old);
  if (!deepEqual(kept, old))
    errors.push(
      forbidden(
        "spec",
        `pod updates may not change fields other than ${changeable}: ${changedPaths(old, kept, "spec")}`,
      ),
    );
}

function checkDeadline(spec: JsonObject, old: JsonObject, errors: Errors): void {
  const field = "spec.activeDeadlineSeconds";
  const now = optionalNumber(spec, "activeDeadlineSeconds");
  const before = optionalNumber(old, "activeDeadlineSeconds");
  if (now === undefined) {
    if (before !== undefined) errors.push(invalid(field, null, "must not update from a positive integer to nil value"));
    return;
  }
  checkRange(now, { min: 0, max: 2147483647, field, errors });
  if (before !== undefined && before < now)
    errors.push(invalid(field, now, "must be less than or equal to previous value"));
}

function checkAddedTolerations(spec: JsonObject, old: JsonObject, errors: Errors): void {
  const plain = (one: JsonObject): JsonObject => {
    const { tolerationSeconds: _, ...rest } = one;
    return rest;
  };
  const now = listAt(spec, "tolerations").filter(isJsonObject).map(plain);
  for (const before of listAt(old, "tolerations").filter(isJsonObject))
    if (!now.some((one) => deepEqual(one, plain(before))))
      return void errors.push(
        forbidden("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds"),
      );
  checkTolerations(spec, "spec", errors);
}

function checkRemovedGates(spec: JsonObject, old: JsonObject, errors: Errors): void {
  const known = new Set(
    listAt(old, "schedulingGates")
      .filter(isJsonObject)
      .map((gate) => textAt(gate, "name")),
  );
  for (const [gate, at] of entriesAt(spec, "schedulingGates", "spec")) {
    const name = textAt(gate, "name");
    if (!known.has(name))
      errors.push(forbidden(`${at}.name`, `only deletion is allowed, but found new scheduling gate '${name}'`));
  }
}

/** The new spec with the old values of the mutable fields: it must equal the old spec. */
function withOldParts(spec: JsonObject, old: JsonObject): JsonObject {
  const result: Record<string, JsonObject[string]> = { ...spec };
  for (const list of ["containers", "initContainers"]) {
    if (result[list] === undefined) continue;
    const before = listAt(old, list);
    result[list] = listAt(spec, list).map((container, index) => {
      const image = before[index];
      return isJsonObject(container) && isJsonObject(image)
        ? { ...container, image: textAt(image, "image") }
        : container;
    });
  }
  const isGated = listAt(old, "schedulingGates").length > 0;
  for (const key of ["activeDeadlineSeconds", "schedulingGates", "tolerations", ...(isGated ? ["nodeSelector"] : [])]) {
    const before = old[key];
    if (before === undefined) delete result[key];
    else result[key] = before;
  }
  if (numberAt(old, "terminationGracePeriodSeconds") < 0 && result["terminationGracePeriodSeconds"] === 1)
    result["terminationGracePeriodSeconds"] = numberAt(old, "terminationGracePeriodSeconds");
  return result;
}
