import { invalid, notSupported, required } from "@kubewright/core/schema";
import type { ObjectFieldSelector, ResourceFieldSelector, SecretKeySelector } from "kubewright/k8s/core/v1";
import type { Decoded } from "../../../decoded.js";
import { configKey, qualifiedName, subdomainName } from "../../../name-rules.js";
import { checkName, checkRequiredName, type Errors, quantityOf } from "../../../validation/index.js";

const plainFields = ["metadata.name", "metadata.namespace", "metadata.uid"];
const convertible: ReadonlySet<string> = new Set([
  ...plainFields,
  "metadata.annotations",
  "metadata.labels",
  "spec.nodeName",
  "spec.restartPolicy",
  "spec.serviceAccountName",
  "spec.schedulerName",
  "status.phase",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
]);

/** The fields that `fieldRef` of an environment variable may reference. */
export const variableFields: readonly string[] = [
  ...plainFields,
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];

/** The fields that `fieldRef` of a downward API file may reference. */
export const fileFields: readonly string[] = ["metadata.annotations", "metadata.labels", ...plainFields];
const resourceNames = ["cpu", "ephemeral-storage", "memory"];
const resourceFields = ["limits", "requests"].flatMap((kind) => resourceNames.map((name) => `${kind}.${name}`));
const sizes = ["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"];

/** Validates a fieldRef. */
export function checkFieldReference(
  { apiVersion: version = "", fieldPath: path = "" }: Decoded<ObjectFieldSelector>,
  allowed: readonly string[],
  field: string,
  errors: Errors,
): void {
  if (version === "") return void errors.push(required(`${field}.apiVersion`));
  if (path === "") return void errors.push(required(`${field}.fieldPath`));
  const subscript = /^(.*)\['(.*)'\]$/s.exec(path);
  const problem =
    version !== "v1"
      ? `unsupported pod version: ${version}`
      : subscript
        ? subscript[1] === "metadata.annotations" || subscript[1] === "metadata.labels"
          ? undefined
          : `field label does not support subscript: ${path}`
        : convertible.has(path) || path === "spec.host"
          ? undefined
          : `field label not supported: ${path}`;
  if (problem !== undefined)
    return void errors.push(invalid(`${field}.fieldPath`, path, `error converting fieldPath: ${problem}`));
  if (subscript) {
    const key = subscript[2] ?? "";
    checkName(subscript[1] === "metadata.annotations" ? key.toLowerCase() : key, qualifiedName, field, errors);
  } else if (!allowed.includes(path)) errors.push(notSupported(`${field}.fieldPath`, path, allowed));
}

/** Validates a resourceFieldRef. */
export function checkResourceReference(
  { resource = "", containerName, divisor: given = "0" }: Decoded<ResourceFieldSelector>,
  needsContainer: boolean,
  field: string,
  errors: Errors,
): void {
  const isHugePages = /^(requests|limits)\.hugepages-/.test(resource);
  if (needsContainer && !containerName) errors.push(required(`${field}.containerName`));
  else if (resource === "") errors.push(required(`${field}.resource`));
  else if (!resourceFields.includes(resource) && !isHugePages)
    errors.push(notSupported(`${field}.resource`, resource, resourceFields));
  const divisor = quantityOf(given);
  if (divisor.sign === 0) return;
  const name = resource.slice(resource.indexOf(".") + 1);
  const title = { cpu: "cpu", memory: "memory", "ephemeral-storage": "local ephemeral storage" }[name];
  if (title === "cpu") {
    if (!["1m", "1"].includes(divisor.toString()))
      errors.push(
        invalid(`${field}.divisor`, resource, "only divisor's values 1m and 1 are supported with the cpu resource"),
      );
  } else if ((title !== undefined || isHugePages) && !sizes.includes(divisor.toString()))
    errors.push(
      invalid(
        `${field}.divisor`,
        resource,
        `only divisor's values ${sizes.join(", ")} are supported with the ${title ?? "hugepages"} resource`,
      ),
    );
}

/** Validates a reference to a key of a ConfigMap or a Secret. */
export function checkKeyReference(
  { name = "", key = "" }: Decoded<SecretKeySelector>,
  field: string,
  errors: Errors,
): void {
  checkName(name, subdomainName, `${field}.name`, errors);
  checkRequiredName(key, configKey, `${field}.key`, errors);
}
