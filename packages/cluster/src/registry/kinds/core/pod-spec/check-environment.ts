import type { JsonObject } from "@kubewright/core/json";
import { invalid } from "@kubewright/core/schema";
import { partAt, textAt } from "../../../draft.js";
import { asPrefix, labelName, subdomainName } from "../../../name-rules.js";
import {
  checkName,
  checkNoBacksteps,
  checkRequiredName,
  type Errors,
  entriesAt,
  variableName,
} from "../../../validation/index.js";
import { checkAmountReference, checkFieldReference, checkKeyReference, variableFields } from "./check-references.js";

const oneSource = "may not have more than one field specified at a time";

/** Validates env and envFrom. */
export function checkEnvironment(container: JsonObject, field: string, errors: Errors): void {
  for (const [variable, at] of entriesAt(container, "env", field)) {
    checkRequiredName(textAt(variable, "name"), variableName, `${at}.name`, errors);
    const source = partAt(variable, "valueFrom");
    if (source !== undefined) checkSource(source, textAt(variable, "value"), `${at}.valueFrom`, errors);
  }
  for (const [source, at] of entriesAt(container, "envFrom", field)) {
    const prefix = textAt(source, "prefix");
    if (prefix !== "") checkName(prefix, variableName, `${at}.prefix`, errors);
    const found = ["configMapRef", "secretRef"].filter((kind) => partAt(source, kind) !== undefined);
    for (const kind of found) {
      const name = textAt(partAt(source, kind) ?? {}, "name");
      checkRequiredName(name, asPrefix(subdomainName), `${at}.${kind}.name`, errors);
    }
    if (found.length === 0)
      errors.push(invalid(`${field}.envFrom`, "", "must specify one of: `configMapRef` or `secretRef`"));
    else if (found.length > 1) errors.push(invalid(`${field}.envFrom`, "", oneSource));
  }
}

function checkSource(source: JsonObject, value: string, field: string, errors: Errors): void {
  const checks: Readonly<Record<string, (part: JsonObject, at: string) => void>> = {
    fieldRef: (part, at) => checkFieldReference(part, variableFields, at, errors),
    resourceFieldRef: (part, at) => checkAmountReference(part, false, at, errors),
    configMapKeyRef: (part, at) => checkKeyReference(part, at, errors),
    secretKeyRef: (part, at) => checkKeyReference(part, at, errors),
    fileKeyRef: (part, at) => checkFileReference(part, at, errors),
  };
  let found = 0;
  for (const [kind, check] of Object.entries(checks)) {
    const part = partAt(source, kind);
    if (part === undefined) continue;
    found++;
    check(part, `${field}.${kind}`);
  }
  if (found === 0)
    errors.push(
      invalid(
        field,
        "",
        "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`",
      ),
    );
  else if (value !== "") errors.push(invalid(field, "", "may not be specified when `value` is not empty"));
  else if (found > 1) errors.push(invalid(field, "", oneSource));
}

function checkFileReference(reference: JsonObject, field: string, errors: Errors): void {
  checkRequiredName(textAt(reference, "key"), variableName, `${field}.key`, errors);
  checkRequiredName(textAt(reference, "volumeName"), labelName, `${field}.volumeName`, errors);
  checkRequiredName(textAt(reference, "path"), () => [], `${field}.path`, errors);
  checkNoBacksteps(textAt(reference, "path"), `${field}.path`, errors);
}
