import type { JsonObject } from "@kubewright/core/json";
import { type Chooser, drawn } from "../fuzz/index.js";

/** Random roles and bindings, and the users and namespaces that they are about. */
export interface RandomPolicy {
  /** Collection paths and the objects to create there, roles before bindings. */
  readonly objects: readonly { readonly path: string; readonly body: JsonObject }[];
  readonly namespaces: readonly string[];
  /** The specs of random SubjectAccessReviews. */
  readonly questions: readonly JsonObject[];
}

/** What {@link randomPolicy} draws. */
export interface PolicyOptions {
  readonly seed: number;
  /** The names of its objects and users begin with it, so that several policies do not influence each other. */
  readonly prefix: string;
  /** The number of its questions. */
  readonly questions: number;
}

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const apiGroup = "rbac.authorization.k8s.io";
const groups = ["", "apps", "example.com"];
const resources = ["pods", "deployments", "pools"];
const subresources = ["log", "scale"];
const verbs = ["get", "list", "create", "delete", "deletecollection", "impersonate"];
const names = ["a", "b", "c"];
const paths = ["/healthz", "/healthz/ping", "/logs", "/logs/", "/api", "/metrics/slis"];
const urls = ["/healthz", "/healthz/*", "/logs*", "/logs/*", "*", "/metrics/*"];

/** Draws roles, bindings and questions; the same for the same options. */
export function randomPolicy({ seed, prefix, questions }: PolicyOptions): RandomPolicy {
  return drawn(seed, (chooser) => policyOf(chooser, prefix, questions));
}

function policyOf(chooser: Chooser, prefix: string, count: number): RandomPolicy {
  const some = <T>(values: readonly T[], most: number): T[] =>
    Array.from({ length: 1 + chooser.below(most) }, () => chooser.of(values));
  const namespaces = [`${prefix}-x`, `${prefix}-y`];
  const userNames = ["u1", "u2", "u3"].map((name) => `${prefix}-${name}`);
  const groupNames = ["g1", "g2"].map((name) => `${prefix}-${name}`);
  const accounts = ["s1", "s2"];
  const ruled = [
    ...resources,
    ...resources.flatMap((one) => subresources.map((part) => `${one}/${part}`)),
    "*",
    "*/scale",
    "pods/*",
  ];
  const rule = (mayHaveUrls: boolean): JsonObject =>
    mayHaveUrls && chooser.below(4) === 0
      ? { nonResourceURLs: some(urls, 2), verbs: some(["get", "post", "*"], 2) }
      : {
          apiGroups: some([...groups, "*"], 2),
          resources: some(ruled, 3),
          verbs: some([...verbs, "*"], 3),
          ...(chooser.below(3) === 0 && { resourceNames: some(names, 2) }),
        };
  const rules = (mayHaveUrls: boolean): JsonObject[] =>
    Array.from({ length: 1 + chooser.below(3) }, () => rule(mayHaveUrls));
  const subject = (isNamespaced: boolean): JsonObject => {
    const kind = chooser.of(["User", "Group", "ServiceAccount"]);
    if (kind === "User") return { kind, apiGroup, name: chooser.of(userNames) };
    if (kind === "Group") return { kind, apiGroup, name: chooser.of(groupNames) };
    const namespace = isNamespaced && chooser.below(2) === 0 ? {} : { namespace: chooser.of(namespaces) };
    return { kind, name: chooser.of(accounts), ...namespace };
  };
  const ofRound = (name: string): string => `${prefix}-${name}`;
  const roleNames = ["r1", "r2", "r3"];
  const clusterRoles = ["c1", "c2", "c3", "c4"].map(ofRound);
  const body = (name: string, rest: JsonObject): JsonObject => ({ metadata: { name }, ...rest });
  const subjects = (isNamespaced: boolean): JsonObject[] =>
    Array.from({ length: 1 + chooser.below(3) }, () => subject(isNamespaced));
  // The last of each does not exist.
  const clusterRef = (): JsonObject => ({
    apiGroup,
    kind: "ClusterRole",
    name: chooser.of([...clusterRoles, ofRound("c5")]),
  });
  const anyRef = (): JsonObject =>
    chooser.below(2) === 0 ? clusterRef() : { apiGroup, kind: "Role", name: chooser.of([...roleNames, "r4"]) };
  const objects = [
    ...clusterRoles.map((name) => ({ path: `${rbac}/clusterroles`, body: body(name, { rules: rules(true) }) })),
    ...namespaces.flatMap((namespace) =>
      roleNames.map((name) => ({
        path: `${rbac}/namespaces/${namespace}/roles`,
        body: body(name, { rules: rules(false) }),
      })),
    ),
    ...["b1", "b2", "b3"].map(ofRound).map((name) => ({
      path: `${rbac}/clusterrolebindings`,
      body: body(name, { roleRef: clusterRef(), subjects: subjects(false) }),
    })),
    ...namespaces.flatMap((namespace) =>
      ["b1", "b2", "b3"].map((name) => ({
        path: `${rbac}/namespaces/${namespace}/rolebindings`,
        body: body(name, { roleRef: anyRef(), subjects: subjects(true) }),
      })),
    ),
  ];
  const asked = (): JsonObject => {
    const [part = ""] = chooser.below(3) === 0 ? [chooser.of(subresources)] : [];
    return {
      verb: chooser.of([...verbs, "*"]),
      group: chooser.of([...groups, "other.io"]),
      resource: chooser.of([...resources, "*"]),
      subresource: part,
      namespace: chooser.of([...namespaces, ""]),
      name: chooser.of([...names, ""]),
    };
  };
  const who = (): JsonObject => {
    const account = `system:serviceaccount:${chooser.of(namespaces)}:${chooser.of(accounts)}`;
    const user = chooser.of([...userNames, account, ofRound("nobody")]);
    return { user, groups: Array.from({ length: chooser.below(3) }, () => chooser.of(groupNames)) };
  };
  return {
    objects,
    namespaces,
    questions: Array.from({ length: count }, () => ({
      ...who(),
      ...(chooser.below(6) === 0
        ? { nonResourceAttributes: { path: chooser.of(paths), verb: chooser.of(["get", "post", "put"]) } }
        : { resourceAttributes: asked() }),
    })),
  };
}
