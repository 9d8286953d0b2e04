import { goQuote } from "@kubewright/core/json";
import type { AccessAttributes, Authorizer, ResourceAttributes } from "./authorizer.js";
import {
  anonymousUser,
  authenticatedGroup,
  mastersGroup,
  nodeOf,
  nodesGroup,
  serviceAccountGroups,
  serviceAccountOf,
  type User,
  unauthenticatedGroup,
} from "./user.js";

/** The values of the `Impersonate-*` headers. */
export interface ImpersonationHeaders {
  readonly user: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** The result of an impersonation: the impersonated user, or the permission that the requesting user lacks. */
export type Impersonated =
  | { readonly kind: "user"; readonly user: User }
  | { readonly kind: "forbidden"; readonly user: User; readonly attributes: AccessAttributes; readonly reason: string };

const extraPrefix = "impersonate-extra-";
const nodeNameKey = "authentication.kubernetes.io/node-name";

/**
 * Reads the `Impersonate-*` headers. Undefined without them, an error message if they name no user. `repeated` has the values of each header
 * line; without it, values are separated by commas.
 */
export function impersonationOf(
  headers: Readonly<Record<string, string>>,
  repeated?: ReadonlyMap<string, readonly string[]>,
): ImpersonationHeaders | string | undefined {
  const valuesOf = (header: string): readonly string[] => repeated?.get(header) ?? splitValues(headers[header]);
  const user = headers["impersonate-user"] ?? "";
  const uid = headers["impersonate-uid"] ?? "";
  const groups = valuesOf("impersonate-group");
  const extra: Record<string, readonly string[]> = {};
  for (const header of Object.keys(headers))
    if (header.startsWith(extraPrefix)) extra[decodeKey(header.slice(extraPrefix.length))] = valuesOf(header);
  if (user !== "") return { user, uid, groups, extra };
  if (uid === "" && groups.length === 0 && Object.keys(extra).length === 0) return undefined;
  return `requested ${printUser({ user, uid, groups, extra })} without impersonating a user name`;
}

/** A user as Go's `%#v` prints it. */
function printUser({ user, uid, groups, extra }: ImpersonationHeaders): string {
  const list = (values: readonly string[]): string =>
    values.length === 0 ? "[]string(nil)" : `[]string{${values.map(goQuote).join(", ")}}`;
  const entries = Object.entries(extra)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, values]) => `${goQuote(key)}:${list(values)}`);
  const map = `map[string][]string${entries.length === 0 ? "(nil)" : `{${entries.join(", ")}}`}`;
  return `&user.DefaultInfo{Name:${goQuote(user)}, UID:${goQuote(uid)}, Groups:${list(groups)}, Extra:${map}}`;
}

/** One way to impersonate, with permissions of its own. */
interface Mode {
  /** Of constrained impersonation; undefined for the verb `impersonate`. */
  readonly name: string | undefined;
  supports(wanted: ImpersonationHeaders, requester: User): boolean;
}

const modes: readonly Mode[] = [
  { name: "associated-node", supports: (wanted, requester) => isNameOnly(wanted) && isOwnNode(wanted.user, requester) },
  { name: "arbitrary-node", supports: (wanted) => isNameOnly(wanted) && isNode(wanted.user) },
  { name: "serviceaccount", supports: (wanted) => isNameOnly(wanted) && serviceAccountOf(wanted.user) !== undefined },
  { name: "user-info", supports: ({ user }) => !isNode(user) && serviceAccountOf(user) === undefined },
  { name: undefined, supports: () => true },
];

/**
 * Impersonates a user for one request, by the first mode that the requesting user may use: constrained impersonation, which needs
 * `impersonate:<mode>` on the user and `impersonate-on:<mode>:<verb>` on the request, then `impersonate`. The rejection is that of the first mode.
 */
export function impersonate(
  authorizer: Authorizer,
  requester: User,
  { wanted, attributes }: { readonly wanted: ImpersonationHeaders; readonly attributes: AccessAttributes },
): Impersonated {
  let rejection: Impersonated | undefined;
  for (const mode of modes) {
    if (!mode.supports(wanted, requester)) continue;
    const rejected = firstRejected(authorizer, requester, permissionsOf(mode, wanted, attributes));
    if (rejected === undefined) return { kind: "user", user: impersonatedUser(mode, wanted) };
    rejection ??= rejected;
  }
  return rejection ?? { kind: "user", user: requester };
}

/** A permission that an impersonation needs, or why the mode does not allow it. */
interface Permission {
  readonly attributes: AccessAttributes;
  readonly rejection?: string;
}

function firstRejected(
  authorizer: Authorizer,
  user: User,
  permissions: Iterable<Permission>,
): Impersonated | undefined {
  for (const { attributes, rejection } of permissions) {
    const { allowed, reason } =
      rejection === undefined ? authorizer.authorize(user, attributes) : { allowed: false, reason: rejection };
    if (!allowed) return { kind: "forbidden", user, attributes, reason };
  }
  return undefined;
}

function* permissionsOf(
  { name: mode }: Mode,
  { user, uid, groups, extra }: ImpersonationHeaders,
  attributes: AccessAttributes,
): Generator<Permission> {
  const verb = mode === undefined ? "impersonate" : `impersonate:${mode}`;
  const group = "authentication.k8s.io";
  const ofUsers = { verb, group: mode === undefined ? "" : group };
  if (mode !== undefined) yield { attributes: { ...attributes, verb: `impersonate-on:${mode}:${attributes.verb}` } };
  yield { attributes: userAttributes(user, mode, ofUsers) };
  if (uid !== "") yield { attributes: attributesFor({ verb, group, resource: "uids", name: uid }) };
  for (const one of groups) {
    const rejection = mode === undefined ? undefined : groupRejection(one);
    const name = rejection === undefined || one === mastersGroup ? one : "";
    yield { attributes: attributesFor({ ...ofUsers, resource: "groups", name }), ...(rejection && { rejection }) };
  }
  for (const [key, values] of Object.entries(extra))
    for (const name of values)
      yield { attributes: { ...attributesFor({ verb, group, resource: "userextras", name }), subresource: key } };
}

function groupRejection(group: string): string | undefined {
  if (group === "") return "impersonating the empty string group is not allowed";
  return group === mastersGroup ? "impersonating the system:masters group is not allowed" : undefined;
}

function userAttributes(
  user: string,
  mode: string | undefined,
  of: Pick<ResourceAttributes, "verb" | "group">,
): ResourceAttributes {
  const account = serviceAccountOf(user);
  if (account !== undefined)
    return {
      ...attributesFor({ ...of, resource: "serviceaccounts", name: account.name }),
      namespace: account.namespace,
    };
  const node = mode === undefined ? undefined : nodeOf(user);
  if (node === undefined) return attributesFor({ ...of, resource: "users", name: user });
  // The permission for one's own node is granted for all nodes.
  return attributesFor({ ...of, resource: "nodes", name: mode === "associated-node" ? "*" : node });
}

function attributesFor(of: Pick<ResourceAttributes, "verb" | "group" | "resource" | "name">): ResourceAttributes {
  return { kind: "resource", subresource: "", namespace: "", ...of };
}

function impersonatedUser({ name: mode }: Mode, { user, uid, groups, extra }: ImpersonationHeaders): User {
  return { name: user, uid, extra, groups: withSystemGroup(user, knownGroups(user, mode, groups)) };
}

/** ServiceAccounts, and nodes in constrained impersonation, have fixed groups. */
function knownGroups(user: string, mode: string | undefined, given: readonly string[]): readonly string[] {
  if (given.length > 0) return given;
  if (mode !== undefined && isNode(user)) return [nodesGroup];
  const account = serviceAccountOf(user);
  return account === undefined ? [] : serviceAccountGroups(account.namespace);
}

function withSystemGroup(user: string, groups: readonly string[]): readonly string[] {
  const group = user === anonymousUser.name ? unauthenticatedGroup : authenticatedGroup;
  return groups.includes(group) || groups.includes(unauthenticatedGroup) ? groups : [...groups, group];
}

function isNameOnly({ uid, groups, extra }: ImpersonationHeaders): boolean {
  return uid === "" && groups.length === 0 && Object.keys(extra).length === 0;
}

function isNode(user: string): boolean {
  return /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(nodeOf(user) ?? "");
}

/** Whether a ServiceAccount's token is bound to a Pod on the node that it impersonates. */
function isOwnNode(user: string, requester: User): boolean {
  const [node] = requester.extra[nodeNameKey] ?? [];
  return isNode(user) && serviceAccountOf(requester.name) !== undefined && nodeOf(user) === node;
}

function splitValues(header: string | undefined): readonly string[] {
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
