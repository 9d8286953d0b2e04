import { type AnyKind, hasStatus, isResource } from "../definition/index.js";

/** One rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** Restricts the rule to objects of these names. @default all objects */
  readonly resourceNames?: readonly string[];
}

/** The kinds and verbs that a controller declares. A `Controller` is assignable to it. */
export interface DeclaredAccess {
  /** Undefined for a raw controller. */
  readonly kind: AnyKind | undefined;
  readonly owns: readonly AnyKind[];
  /** @default none */
  readonly manages?: readonly AnyKind[];
  readonly uses: readonly { readonly kind: AnyKind; readonly verbs: readonly string[] }[];
  readonly watches: readonly { readonly kind: AnyKind }[];
  /** Whether it records events. @default true */
  readonly events?: boolean;
}

/** Features of an operator that need additional RBAC rules. */
export interface DeriveRulesOptions {
  /** Installs its CRDs at startup. @default false */
  readonly installCRDs?: boolean;
  /**
   * Uses leader election. A Role applies to its own namespace only: add this rule to a Role in the Lease's namespace, see
   * {@link deriveLeaseRules}. @default false
   */
  readonly leaderElection?: boolean;
  /** The cluster of the rules, by its name in `ofCluster`. @default the operator's own cluster */
  readonly cluster?: string;
  /** Waits for kinds that are not served yet (`missingKinds: "wait"`): watches CRDs. @default false */
  readonly waitForKinds?: boolean;
  /** Authenticates and authorizes metrics requests (`secureMetrics`). Needs a ClusterRole: TokenReview and SubjectAccessReview are cluster-scoped. @default false */
  readonly secureMetrics?: boolean;
  /** Shards its objects; as with `leaderElection`, in the Leases' namespace. @default false */
  readonly sharding?: boolean;
  /** Migrates stored objects of its kinds to the storage version, see `migrateStored`. @default false */
  readonly migrateStored?: boolean;
}

const extensions = "apiextensions.k8s.io";
const definitions = "customresourcedefinitions";
const cached = ["get", "list", "watch"];

/**
 * The least-privilege RBAC rules for what the controllers of an operator declare.
 *
 * Reconciled kinds get read verbs, `patch` for the finalizer and `patch` on `status`; owner references with `blockOwnerDeletion` need `update`
 * on `finalizers`. Children get read and write verbs, other kinds the declared verbs. Events get `create`, and `patch` for repeats.
 *
 * @example
 * const role = { metadata: { name: "website-operator" }, rules: deriveRules([website]) };
 */
export function deriveRules(controllers: readonly DeclaredAccess[], options: DeriveRulesOptions = {}): PolicyRule[] {
  const { cluster } = options;
  const grants = new Grants();
  const here = (kind: AnyKind): boolean => kind.cluster === cluster;
  for (const { kind, owns, manages = [], events = true, ...declared } of controllers) {
    const uses = declared.uses.filter((use) => here(use.kind));
    const watches = declared.watches.filter((watched) => here(watched.kind));
    for (const use of uses) addUse(grants, use);
    for (const watched of watches) grants.add(watched.kind.group, watched.kind.plural, cached);
    if (kind === undefined && cluster === undefined && events)
      grants.add("events.k8s.io", "events", ["create", "patch"]);
    if (kind === undefined || !here(kind)) continue;
    grants.add(kind.group, kind.plural, [...cached, "patch"]);
    if (mayHaveStatus(kind)) grants.add(kind.group, `${kind.plural}/status`, ["patch"]);
    if (owns.length > 0) grants.add(kind.group, `${kind.plural}/finalizers`, ["update"]);
    for (const child of [...owns, ...manages])
      grants.add(child.group, child.plural, [...cached, "create", "patch", "delete"]);
    grants.add("events.k8s.io", "events", ["create", "patch"]);
  }
  if (options.installCRDs === true) grants.add(extensions, definitions, ["get", "watch", "create", "patch"]);
  if (options.waitForKinds === true) grants.add(extensions, definitions, cached);
  if (options.leaderElection === true) addLease(grants);
  if (options.sharding === true)
    grants.add("coordination.k8s.io", "leases", ["get", "list", "create", "update", "delete"]);
  if (options.migrateStored === true) {
    grants.add(extensions, definitions, ["get"]);
    grants.add(extensions, `${definitions}/status`, ["patch"]);
  }
  if (options.secureMetrics === true) {
    grants.add("authentication.k8s.io", "tokenreviews", ["create"]);
    grants.add("authorization.k8s.io", "subjectaccessreviews", ["create"]);
  }
  return grants.rules();
}

/**
 * The rules of leader election only, for a Role in the Lease's namespace in addition to the operator's ClusterRole, so that the operator
 * has no access to Leases in other namespaces.
 */
export function deriveLeaseRules(): PolicyRule[] {
  const grants = new Grants();
  addLease(grants);
  return grants.rules();
}

function addLease(grants: Grants): void {
  grants.add("coordination.k8s.io", "leases", ["get", "create", "update"]);
}

function mayHaveStatus(kind: AnyKind): boolean {
  if (!isResource(kind)) return true;
  const version = kind.definition.versions[kind.version];
  return version !== undefined && hasStatus(version);
}

/** The subresource and its RBAC verbs of each verb of `may` that is not an RBAC verb. */
const actions: Readonly<Record<string, readonly [subresource: string, verbs: readonly string[]]>> = {
  patchStatus: ["status", ["patch"]],
  evict: ["eviction", ["create"]],
  scale: ["scale", ["get", "patch"]],
  log: ["log", ["get"]],
  // GET for WebSockets, POST for SPDY.
  exec: ["exec", ["create", "get"]],
  token: ["token", ["create"]],
};

function addUse(grants: Grants, { kind, verbs }: DeclaredAccess["uses"][number]): void {
  for (const verb of verbs) {
    // Of Roles it is a verb, of Pods a subresource.
    const isBinding = verb === "bind" && kind.group === "" && kind.kind === "Pod";
    const [subresource, allowed] = isBinding ? (["binding", ["create"]] as const) : (actions[verb] ?? []);
    if (subresource === undefined || allowed === undefined) grants.add(kind.group, kind.plural, [verb]);
    else grants.add(kind.group, `${kind.plural}/${subresource}`, allowed);
  }
}

/** Verbs per resource, merged across declarations. */
class Grants {
  readonly #verbs = new Map<string, Set<string>>();

  add(group: string, resource: string, verbs: readonly string[]): void {
    const key = `${group} ${resource}`;
    const known = this.#verbs.get(key) ?? new Set();
    for (const verb of verbs) known.add(verb);
    this.#verbs.set(key, known);
  }

  /**
   * Sorted, so that a generated file changes only when a permission does. Resources of one group with equal verbs share a rule, then groups
   * with equal resources and verbs; the verb `*` replaces all others.
   */
  rules(): PolicyRule[] {
    const byVerbs = new Map<string, { group: string; resources: string[]; verbs: readonly string[] }>();
    for (const [key, verbSet] of [...this.#verbs].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const [group = "", resource = ""] = key.split(" ");
      const verbs = verbSet.has("*") ? ["*"] : [...verbSet].sort();
      const id = `${group} ${verbs.join(" ")}`;
      const rule = byVerbs.get(id) ?? { group, resources: [], verbs };
      rule.resources.push(resource);
      byVerbs.set(id, rule);
    }
    const byResources = new Map<
      string,
      { apiGroups: string[]; resources: readonly string[]; verbs: readonly string[] }
    >();
    for (const { group, resources, verbs } of byVerbs.values()) {
      const id = `${resources.join(" ")}: ${verbs.join(" ")}`;
      const rule = byResources.get(id) ?? { apiGroups: [], resources, verbs };
      rule.apiGroups.push(group);
      byResources.set(id, rule);
    }
    return [...byResources.values()];
  }
}
