import type { AccessAttributes, AccessRules, Authorizer } from "./authorizer.js";
import { authenticatedGroup, mastersGroup, type User } from "./user.js";

/** Paths that every authenticated user may read: the rules of the ClusterRole system:discovery. */
const discoveryPaths = ["/api", "/api/*", "/apis", "/apis/*", "/openapi", "/openapi/*"];

/** Paths that every client may read: the rules of the ClusterRole system:public-info-viewer. */
const publicPaths = ["/healthz", "/healthz/*", "/livez", "/livez/*", "/readyz", "/readyz/*", "/version", "/version/"];

/** Self reviews that every authenticated user may create: the rules of the ClusterRole system:basic-user. */
const selfReviews: Readonly<Record<string, readonly string[]>> = {
  "authorization.k8s.io": ["selfsubjectaccessreviews", "selfsubjectrulesreviews"],
  "authentication.k8s.io": ["selfsubjectreviews"],
};

/** Allows everything to `system:masters`; other users may only use discovery, public paths and self reviews. */
export const administratorAuthorizer: Authorizer = {
  authorize(user, attributes) {
    if (user.groups.includes(mastersGroup)) return { allowed: true, reason: "" };
    const isAuthenticated = user.groups.includes(authenticatedGroup);
    return { allowed: isPublic(attributes) || (isAuthenticated && isForAuthenticated(attributes)), reason: "" };
  },
  rules(user) {
    return user.groups.includes(mastersGroup) ? everything : rulesForAll(user);
  },
};

const everything: AccessRules = {
  resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
  nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
};

function isPublic(attributes: AccessAttributes): boolean {
  return attributes.kind === "path" && readsOneOf(publicPaths, attributes);
}

function isForAuthenticated(attributes: AccessAttributes): boolean {
  if (attributes.kind === "path") return readsOneOf(discoveryPaths, attributes);
  return attributes.verb === "create" && (selfReviews[attributes.group]?.includes(attributes.resource) ?? false);
}

function readsOneOf(
  patterns: readonly string[],
  { verb, path }: AccessAttributes & { readonly kind: "path" },
): boolean {
  const matches = (pattern: string): boolean =>
    pattern.endsWith("/*") ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
  return (verb === "get" || verb === "head") && patterns.some(matches);
}

function rulesForAll({ groups }: User): AccessRules {
  const publicRules = { verbs: ["get"], nonResourceURLs: publicPaths };
  if (!groups.includes(authenticatedGroup)) return { resourceRules: [], nonResourceRules: [publicRules] };
  return {
    resourceRules: Object.entries(selfReviews).map(([group, resources]) => ({
      verbs: ["create"],
      apiGroups: [group],
      resources,
    })),
    nonResourceRules: [publicRules, { verbs: ["get"], nonResourceURLs: discoveryPaths }],
  };
}
