import { forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import type { PersistentVolumeClaimSpec, TypedObjectReference } from "kubewright/k8s/core/v1";
import type { Decoded } from "../../../decoded.js";
import { labelName, subdomainName } from "../../../name-rules.js";
import {
  checkLabelSelector,
  checkName,
  checkOptionalEnum,
  checkOptionalName,
  checkPresent,
  type Errors,
  quantityOf,
} from "../../../validation/index.js";

type ClaimSpec = Decoded<PersistentVolumeClaimSpec>;

const accessModes: readonly string[] = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** Validates accessModes. */
export function checkAccessModes(modes: readonly string[] = [], field: string, errors: Errors): void {
  const at = `${field}.accessModes`;
  for (const mode of modes) if (!accessModes.includes(mode)) errors.push(notSupported(at, mode, accessModes));
  const others = modes.filter((mode) => mode !== "ReadWriteOncePod" && accessModes.includes(mode));
  if (modes.includes("ReadWriteOncePod") && others.length > 0)
    errors.push(forbidden(at, "may not use ReadWriteOncePod with other access modes"));
}

/** Validates the spec of a PersistentVolumeClaim or of a template of one. `old` is undefined for a create. */
export function checkClaimSpec(spec: ClaimSpec, field: string, errors: Errors, old?: ClaimSpec): void {
  const hadGroup = old?.dataSource?.apiGroup !== undefined || old?.dataSourceRef?.apiGroup !== undefined;
  if (!spec.accessModes) errors.push(required(`${field}.accessModes`, "at least 1 access mode is required"));
  checkLabelSelector(spec.selector, `${field}.selector`, errors);
  checkAccessModes(spec.accessModes, field, errors);
  checkSize(spec.resources?.requests?.["storage"], `${field}.resources[storage]`, errors);
  checkOptionalName(spec, "storageClassName", { rule: subdomainName, field, errors });
  checkOptionalEnum(spec.volumeMode, ["Block", "Filesystem"], `${field}.volumeMode`, errors);
  checkSource(spec.dataSource, `${field}.dataSource`, hadGroup, errors);
  checkSource(spec.dataSourceRef, `${field}.dataSourceRef`, hadGroup, errors);
  checkSameSource(spec, field, errors);
  checkOptionalName(spec, "volumeAttributesClassName", { rule: subdomainName, field, errors });
}

function checkSize(size: string | number | undefined, field: string, errors: Errors): void {
  if (size === undefined) return void errors.push(required(field));
  const quantity = quantityOf(size);
  if (quantity.sign <= 0) errors.push(invalid(field, quantity.toString(), "must be greater than zero"));
}

function checkSource(
  source: Decoded<TypedObjectReference> | undefined,
  at: string,
  hadGroup: boolean,
  errors: Errors,
): void {
  if (!source) return;
  checkPresent(source, ["name", "kind"], at, errors);
  const { kind = "", namespace = "" } = source;
  const group = source.apiGroup ?? "";
  if (group === "" && kind !== "PersistentVolumeClaim")
    errors.push(invalid(at, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
  // Ratcheting: an update may keep an invalid group.
  if (group !== "" && !hadGroup) checkName(group, subdomainName, `${at}.apiGroup`, errors);
  if (namespace !== "") checkName(namespace, labelName, `${at}.namespace`, errors);
}

function checkSameSource({ dataSource, dataSourceRef }: ClaimSpec, field: string, errors: Errors): void {
  if (!dataSource || !dataSourceRef) return;
  if (dataSourceRef.namespace)
    errors.push(invalid(field, dataSourceRef, "may not be specified when dataSourceRef.namespace is specified"));
  else if (
    (["apiGroup", "kind", "name"] as const).some((key) => (dataSource[key] ?? "") !== (dataSourceRef[key] ?? ""))
  )
    errors.push(invalid(field, {}, "must match dataSourceRef"));
}
