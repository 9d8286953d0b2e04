import type { JsonObject } from "@kubewright/core/json";
import { post, type RequestStep } from "../test-case.js";
import type { FuzzKind } from "./builtin-objects.js";
import type { Chooser } from "./chooser.js";

const rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}";
const apiGroup = "rbac.authorization.k8s.io";
const reviews = "/apis/authorization.k8s.io/v1";
const users = ["jane-{ns}", "bob-{ns}", "system:serviceaccount:{ns}:bot", "stranger"];
const verbs = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", "*"];

/** The users of a case: their random roles, and the steps of the case as sent by them. */
export interface RandomUsers {
  /** Creates the roles and bindings, and waits until they have effect. */
  readonly before: readonly RequestStep[];
  /** The same step as a random user or as the administrator; or a step about roles instead. */
  sentBy(step: RequestStep): RequestStep;
}

/** Draws users with random roles for the kind of a case. */
export function randomUsers(choose: Chooser, kind: FuzzKind): RandomUsers {
  const resource = kind.path.split("/").at(-1) ?? "";
  const group = kind.apiVersion.includes("/") ? (kind.apiVersion.split("/")[0] ?? "") : "";
  const resources = ["", "", "", "/status", "/scale", "/*"].map((part) => `${resource}${part}`);
  const rule = (): JsonObject =>
    choose.chance(25)
      ? {
          apiGroups: [apiGroup],
          resources: ["roles", "rolebindings"],
          verbs: oneOrMore(choose, ["create", "get", "bind", "escalate"]),
        }
      : {
          apiGroups: [choose.chance(85) ? group : choose.of(["*", "other.example.com"])],
          resources: oneOrMore(choose, choose.chance(90) ? resources : ["*", "*/status"]),
          verbs: oneOrMore(choose, verbs),
          ...(choose.chance(15) ? { resourceNames: oneOrMore(choose, ["a", "b"]) } : {}),
        };
  const rules = (): JsonObject[] => Array.from({ length: 1 + choose.below(3) }, rule);
  const silent = { silent: true } as const;
  const before = ["one", "two", "three"].flatMap((name, index) => [
    post(`${rbac}/roles`, { metadata: { name }, rules: rules() }, silent),
    post(`${rbac}/rolebindings`, bindingOf(name, name, subjectOf(users[index] ?? "")), silent),
  ]);
  const verb = "probe";
  const probe: JsonObject = { apiGroups: ["probe"], resources: ["probes"], verbs: [verb] };
  const spec = { user: "probe", resourceAttributes: { verb, group: "probe", resource: "probes", namespace: "{ns}" } };
  const review = { apiVersion: "authorization.k8s.io/v1", kind: "SubjectAccessReview", spec };
  return {
    before: [
      ...before,
      post(`${rbac}/roles`, { metadata: { name: "probe" }, rules: [probe] }, silent),
      post(`${rbac}/rolebindings`, bindingOf("probe", "probe", subjectOf("probe")), silent),
      // A real server reads roles from watches: what it has read last, it uses with all that it read before.
      post(`${reviews}/subjectaccessreviews`, review, { ...silent, until: { includes: '"allowed":true' } }),
    ],
    sentBy(step) {
      const sent = choose.chance(15) ? stepAboutRoles(choose, { group, resource, rules }) : step;
      return choose.chance(25) ? sent : { ...sent, headers: { ...sent.headers, "impersonate-user": choose.of(users) } };
    },
  };
}

/** Writes a role or binding that does not change the rights of the acting users, or asks for a right. */
function stepAboutRoles(
  choose: Chooser,
  { group, resource, rules }: { readonly group: string; readonly resource: string; rules(): JsonObject[] },
): RequestStep {
  switch (choose.below(3)) {
    case 0:
      return post(`${rbac}/roles`, { metadata: { generateName: "made-" }, rules: rules() });
    case 1:
      return post(`${rbac}/rolebindings`, {
        ...bindingOf("", choose.of(["one", "two", "three", "missing"]), subjectOf("bystander")),
        metadata: { generateName: "made-" },
      });
    default: {
      const attributes = {
        verb: choose.of(verbs),
        group,
        resource,
        namespace: "{ns}",
        name: choose.of(["", "a", "c"]),
      };
      const spec = { resourceAttributes: attributes };
      return post(
        `${reviews}/selfsubjectaccessreviews`,
        { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview", spec },
        // Of several roles that allow it, a real server names any.
        { fields: ["status.allowed"] },
      );
    }
  }
}

function bindingOf(name: string, role: string, subject: JsonObject): JsonObject {
  return { metadata: { name }, roleRef: { apiGroup, kind: "Role", name: role }, subjects: [subject] };
}

function subjectOf(user: string): JsonObject {
  return user.startsWith("system:serviceaccount:")
    ? { kind: "ServiceAccount", namespace: "{ns}", name: user.split(":").at(-1) ?? "" }
    : { kind: "User", apiGroup, name: user };
}

function oneOrMore<T>(choose: Chooser, values: readonly T[]): T[] {
  return [...new Set([choose.of(values), ...choose.some(values, 3)])];
}
