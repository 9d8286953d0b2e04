import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { invalid, required, tooLong } from "@kubewright/core/schema";
import { type NameRule, subdomainName } from "../name-rules.js";
import { checkName, checkRange, type Errors } from "./field-checks.js";

/** IANA_SVC_NAME: the name of a port. */
export const portName: NameRule = (value) => {
  const problems: string[] = [];
  if (value.length > 15) problems.push("must be no more than 15 characters");
  if (!/^[-a-z0-9]+$/.test(value))
    problems.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  if (!/[a-z]/.test(value)) problems.push("must contain at least one letter (a-z)");
  if (value.includes("--")) problems.push("must not contain consecutive hyphens");
  if (value !== "" && (value.startsWith("-") || value.endsWith("-")))
    problems.push("must not begin or end with a hyphen");
  return problems;
};

/** The name of an environment variable. */
export const variableName: NameRule = (value) => {
  if (value === "") return ["environment variable name must be non-empty"];
  return /^[\x20-\x3c\x3e-\x7e]*$/.test(value)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
};

/** The name of an HTTP header. */
export const headerName: NameRule = (value) =>
  /^[-A-Za-z0-9]+$/.test(value)
    ? []
    : [
        "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
      ];

/** Validates a domain-prefixed path: `example.com/x`. */
export function checkDomainPath(value: string, field: string, errors: Errors): void {
  if (value === "") return void errors.push(required(field));
  const slash = value.indexOf("/");
  if (slash <= 0 || slash === value.length - 1)
    return void errors.push(invalid(field, value, 'must be a domain-prefixed path (such as "acme.io/foo")'));
  checkName(value.slice(0, slash), subdomainName, field, errors);
  const path = value.slice(slash + 1);
  if (!/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(path))
    errors.push(invalid(field, path, "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')"));
}

/** Validates a port number. */
export function checkPortNumber(value: number, field: string, errors: Errors): void {
  checkRange(value, { min: 1, max: 65535, field, errors });
}

/** Validates a port number or name. */
export function checkPortOrName(value: JsonValue | undefined, field: string, errors: Errors): void {
  if (typeof value === "string") checkName(value, portName, field, errors);
  else checkPortNumber(typeof value === "number" ? value : 0, field, errors);
}

/** Validates a user or group ID. */
export function checkId<T extends JsonObject>(parent: T, key: keyof T & string, field: string, errors: Errors): void {
  const value: JsonValue | undefined = parent[key];
  if (typeof value === "number" || typeof value === "bigint")
    checkRange(value, { min: 0, max: 2147483647, field: `${field}.${key}`, errors });
}

/** Rejects a path with `..`. */
export function checkNoBacksteps(path: string, field: string, errors: Errors): void {
  if (path.split("/").includes("..")) errors.push(invalid(field, path, "must not contain '..'"));
}

/** Validates a relative path without `..`. */
export function checkDescendingPath(path: string, field: string, errors: Errors): void {
  if (path.startsWith("/")) errors.push(invalid(field, path, "must be a relative path"));
  checkNoBacksteps(path, field, errors);
}

/** Validates the path of a file in a volume: names that start with `..` are reserved. */
export function checkFilePath(path: string, field: string, errors: Errors): void {
  checkDescendingPath(path, field, errors);
  if (path.startsWith("..") && !path.startsWith("../")) errors.push(invalid(field, path, "must not start with '..'"));
}

/** Validates a file mode. */
export function checkFileMode<T extends JsonObject>(
  parent: T,
  key: keyof T & string,
  field: string,
  errors: Errors,
): void {
  const mode: JsonValue | undefined = parent[key];
  if (typeof mode === "number" && (mode < 0 || mode > 0o777))
    errors.push(invalid(`${field}.${key}`, mode, "must be a number between 0 and 0777 (octal), both inclusive"));
}

/** Validates the name of a CSI driver. */
export function checkCsiDriverName(name: string, field: string, errors: Errors): void {
  if (name === "") errors.push(required(field));
  if (name.length > 63) errors.push(tooLong(field, 63));
  if (name !== "") for (const detail of subdomainName(name.toLowerCase())) errors.push(invalid(field, name, detail));
}
