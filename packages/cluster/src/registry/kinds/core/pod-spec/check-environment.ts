import { invalid } from "@kubewright/core/schema";
import type { Container, EnvVar, FileKeySelector } from "kubewright/k8s/core/v1";
import type { Decoded } from "../../../decoded.js";
import { asPrefix, labelName, subdomainName } from "../../../name-rules.js";
import {
  checkName,
  checkNoBacksteps,
  checkRequiredName,
  type Errors,
  entriesAt,
  variableName,
} from "../../../validation/index.js";
import { checkFieldReference, checkKeyReference, checkResourceReference, variableFields } from "./check-references.js";

const oneSource = "may not have more than one field specified at a time";

/** Validates env and envFrom. */
export function checkEnvironment(container: Decoded<Container>, field: string, errors: Errors): void {
  for (const [variable, at] of entriesAt(container, "env", field)) {
    checkRequiredName(variable.name ?? "", variableName, `${at}.name`, errors);
    checkSource(variable, `${at}.valueFrom`, errors);
  }
  for (const [source, at] of entriesAt(container, "envFrom", field)) {
    if (source.prefix) checkName(source.prefix, variableName, `${at}.prefix`, errors);
    const found = (["configMapRef", "secretRef"] as const).filter((kind) => source[kind] !== undefined);
    for (const kind of found)
      checkRequiredName(source[kind]?.name ?? "", asPrefix(subdomainName), `${at}.${kind}.name`, errors);
    if (found.length === 0)
      errors.push(invalid(`${field}.envFrom`, "", "must specify one of: `configMapRef` or `secretRef`"));
    else if (found.length > 1) errors.push(invalid(`${field}.envFrom`, "", oneSource));
  }
}

function checkSource({ value, valueFrom }: Decoded<EnvVar>, field: string, errors: Errors): void {
  if (valueFrom === undefined) return;
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = valueFrom;
  if (fieldRef) checkFieldReference(fieldRef, variableFields, `${field}.fieldRef`, errors);
  if (resourceFieldRef) checkResourceReference(resourceFieldRef, false, `${field}.resourceFieldRef`, errors);
  if (configMapKeyRef) checkKeyReference(configMapKeyRef, `${field}.configMapKeyRef`, errors);
  if (secretKeyRef) checkKeyReference(secretKeyRef, `${field}.secretKeyRef`, errors);
  if (fileKeyRef) checkFileReference(fileKeyRef, `${field}.fileKeyRef`, errors);
  const found = Object.keys(valueFrom).length;
  if (found === 0)
    errors.push(
      invalid(
        field,
        "",
        "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`",
      ),
    );
  else if (value) errors.push(invalid(field, "", "may not be specified when `value` is not empty"));
  else if (found > 1) errors.push(invalid(field, "", oneSource));
}

function checkFileReference(
  { key = "", volumeName = "", path = "" }: Decoded<FileKeySelector>,
  field: string,
  errors: Errors,
): void {
  checkRequiredName(key, variableName, `${field}.key`, errors);
  checkRequiredName(volumeName, labelName, `${field}.volumeName`, errors);
  checkRequiredName(path, () => [], `${field}.path`, errors);
  checkNoBacksteps(path, `${field}.path`, errors);
}
