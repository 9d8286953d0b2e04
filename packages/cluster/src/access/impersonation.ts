import type { AccessAttributes } from "./authorizer.js";
import { authenticatedGroup, type User } from "./user.js";

/** An impersonated user, and the `impersonate` permissions that the requesting user needs. */
export interface Impersonation {
  readonly user: User;
  readonly required: readonly AccessAttributes[];
}

const extraPrefix = "impersonate-extra-";
const serviceAccountName = /^system:serviceaccount:([^:]+):([^:]+)$/;

/** Reads the `Impersonate-*` headers. Undefined without them, an error message if they name no user. */
export function impersonationOf(headers: Readonly<Record<string, string>>): Impersonation | string | undefined {
  const name = headers["impersonate-user"] ?? "";
  const uid = headers["impersonate-uid"] ?? "";
  const groups = valuesOf(headers["impersonate-group"]);
  const extra: Record<string, string[]> = {};
  for (const [header, value] of Object.entries(headers))
    if (header.startsWith(extraPrefix)) extra[decodeKey(header.slice(extraPrefix.length))] = valuesOf(value);
  if (name === "")
    return uid !== "" || groups.length > 0 || Object.keys(extra).length > 0
      ? "requested groups, uid or extra fields without impersonating a user name"
      : undefined;
  return {
    user: { name, uid, extra, groups: groupsOf(name, groups) },
    required: [
      userAttributes(name),
      ...groups.map((group) => attributes("", "groups", group)),
      ...Object.entries(extra).flatMap(([key, values]) =>
        values.map((value) => ({ ...attributes("authentication.k8s.io", "userextras", value), subresource: key })),
      ),
      ...(uid === "" ? [] : [attributes("authentication.k8s.io", "uids", uid)]),
    ],
  };
}

function userAttributes(name: string): AccessAttributes {
  const [, namespace = "", account = ""] = serviceAccountName.exec(name) ?? [];
  return namespace === ""
    ? attributes("", "users", name)
    : { ...attributes("", "serviceaccounts", account), namespace };
}

function attributes(group: string, resource: string, name: string): AccessAttributes & { readonly kind: "resource" } {
  return { kind: "resource", verb: "impersonate", group, resource, subresource: "", namespace: "", name };
}

/** Adds the groups of ServiceAccounts if no group is given, and `system:authenticated` for every user except the anonymous one. */
function groupsOf(name: string, given: readonly string[]): readonly string[] {
  const namespace = serviceAccountName.exec(name)?.[1];
  const groups =
    given.length === 0 && namespace !== undefined
      ? ["system:serviceaccounts", `system:serviceaccounts:${namespace}`]
      : given;
  const isComplete = name === "system:anonymous" || groups.includes(authenticatedGroup);
  return isComplete || groups.includes("system:unauthenticated") ? groups : [...groups, authenticatedGroup];
}

/** Repeated headers arrive joined by commas. */
function valuesOf(header: string | undefined): string[] {
  return header === undefined || header === "" ? [] : header.split(",").map((value) => value.trim());
}

/** Keys of extra fields are percent-encoded; one that cannot be decoded is used as is. */
function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
