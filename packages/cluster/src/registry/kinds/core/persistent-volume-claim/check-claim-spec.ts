import type { JsonObject } from "@kubewright/core/json";
import { forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import { objectAt, partAt, textAt, textsAt } from "../../../draft.js";
import { labelName, subdomainName } from "../../../name-rules.js";
import {
  checkLabelSelector,
  checkName,
  checkOptionalEnum,
  type Errors,
  quantityOf,
} from "../../../validation/index.js";

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** Validates accessModes. */
export function checkAccessModes(spec: JsonObject, field: string, errors: Errors): void {
  const modes = textsAt(spec, "accessModes");
  const at = `${field}.accessModes`;
  for (const mode of modes) if (!accessModes.includes(mode)) errors.push(notSupported(at, mode, accessModes));
  const others = modes.filter((mode) => mode !== "ReadWriteOncePod" && accessModes.includes(mode));
  if (modes.includes("ReadWriteOncePod") && others.length > 0)
    errors.push(forbidden(at, "may not use ReadWriteOncePod with other access modes"));
}

/** Validates the spec of a PersistentVolumeClaim or of a template of one. `old` is undefined for a new one. */
export function checkClaimSpec(spec: JsonObject, field: string, errors: Errors, old?: JsonObject): void {
  const hadGroup = ["dataSource", "dataSourceRef"].some((key) => partAt(old ?? {}, key)?.["apiGroup"] !== undefined);
  if (textsAt(spec, "accessModes").length === 0)
    errors.push(required(`${field}.accessModes`, "at least 1 access mode is required"));
  checkLabelSelector(spec["selector"], `${field}.selector`, errors);
  checkAccessModes(spec, field, errors);
  checkSize(objectAt(spec, "resources"), `${field}.resources[storage]`, errors);
  checkClass(spec, "storageClassName", field, errors);
  checkOptionalEnum(spec["volumeMode"], ["Block", "Filesystem"], `${field}.volumeMode`, errors);
  for (const source of ["dataSource", "dataSourceRef"]) checkSource(spec, source, { field, hadGroup, errors });
  checkSameSource(spec, field, errors);
  checkClass(spec, "volumeAttributesClassName", field, errors);
}

function checkClass(spec: JsonObject, key: string, field: string, errors: Errors): void {
  if (textAt(spec, key) !== "") checkName(textAt(spec, key), subdomainName, `${field}.${key}`, errors);
}

function checkSize(resources: JsonObject, field: string, errors: Errors): void {
  const size = objectAt(resources, "requests")["storage"];
  if (size === undefined) return void errors.push(required(field));
  const amount = quantityOf(size);
  if (amount.sign <= 0) errors.push(invalid(field, amount.toString(), "must be greater than zero"));
}

function checkSource(
  spec: JsonObject,
  key: string,
  { field, hadGroup, errors }: { readonly field: string; readonly hadGroup: boolean; readonly errors: Errors },
): void {
  const source = partAt(spec, key);
  if (!source) return;
  const at = `${field}.${key}`;
  for (const part of ["name", "kind"]) if (textAt(source, part) === "") errors.push(required(`${at}.${part}`));
  const [group, kind] = [textAt(source, "apiGroup"), textAt(source, "kind")];
  if (group === "" && kind !== "PersistentVolumeClaim")
    errors.push(invalid(at, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
  // Ratcheting: an update may keep an invalid group.
  if (group !== "" && !hadGroup) checkName(group, subdomainName, `${at}.apiGroup`, errors);
  const namespace = key === "dataSourceRef" ? textAt(source, "namespace") : "";
  if (namespace !== "") checkName(namespace, labelName, `${at}.namespace`, errors);
}

function checkSameSource(spec: JsonObject, field: string, errors: Errors): void {
  const [source, reference] = [partAt(spec, "dataSource"), partAt(spec, "dataSourceRef")];
  if (!source || !reference) return;
  if (textAt(reference, "namespace") !== "")
    errors.push(invalid(field, reference, "may not be specified when dataSourceRef.namespace is specified"));
  else if (["apiGroup", "kind", "name"].some((key) => textAt(source, key) !== textAt(reference, key)))
    errors.push(invalid(field, {}, "must match dataSourceRef"));
}
