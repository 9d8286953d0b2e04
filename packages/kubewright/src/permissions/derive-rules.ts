import { type AnyKind, hasStatus, isResource } from "../definition/index.js";

/** One rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** What a controller declares, for permissions. A `Controller` fits. */
export interface DeclaredAccess {
  /** Undefined for a raw controller. */
  readonly kind: AnyKind | undefined;
  readonly owns: readonly AnyKind[];
  readonly uses: readonly { readonly kind: AnyKind; readonly verbs: readonly string[] }[];
  readonly watches: readonly { readonly kind: AnyKind }[];
}

/** What an operator does beside running its controllers. */
export interface DeriveRulesOptions {
  /** Installs its CRDs when it starts. @default false */
  readonly installCRDs?: boolean;
  /**
   * Elects a leader. In a Role the rule holds in the Role's own namespace: give it in the Role of the Lease's namespace, see
   * {@link deriveLeaseRules}. @default false
   */
  readonly leaderElection?: boolean;
  /** The cluster that the rules are for, by the name that kinds of `ofCluster` give it. @default the operator's own */
  readonly cluster?: string;
  /** Waits for kinds that are not served yet (`missingKinds: "wait"`): watches CRDs. @default false */
  readonly waitForKinds?: boolean;
  /** Reviews access to its metrics (`secureMetrics`). Needs a ClusterRole: reviews are cluster-scoped. @default false */
  readonly secureMetrics?: boolean;
  /** Shards its objects; as with `leaderElection`, in the Leases' namespace. @default false */
  readonly sharding?: boolean;
  /** Migrates stored objects of its own kinds to the storage version, see `migrateStored`. @default false */
  readonly migrateStored?: boolean;
  /** Writes the CA bundle of its webhooks into the configurations that name them. @default false */
  readonly patchWebhooks?: boolean;
}

const extensions = "apiextensions.k8s.io";
const definitions = "customresourcedefinitions";
const cached = ["get", "list", "watch"];

/**
 * The RBAC rules that an operator needs: enough for what its controllers declare, and no more.
 *
 * Its own kinds are read, and patched for the finalizer; their status is patched; owner references with `blockOwnerDeletion` need `update`
 * on `finalizers`. Children are read and written, other kinds as declared. Events are created, and patched when they repeat.
 *
 * @example
 * const role = { metadata: { name: "website-operator" }, rules: deriveRules([website]) };
 */
export function deriveRules(controllers: readonly DeclaredAccess[], options: DeriveRulesOptions = {}): PolicyRule[] {
  const { cluster } = options;
  const grants = new Grants();
  const here = (kind: AnyKind): boolean => kind.cluster === cluster;
  for (const { kind, owns, ...declared } of controllers) {
    const uses = declared.uses.filter((use) => here(use.kind));
    const watches = declared.watches.filter((watched) => here(watched.kind));
    for (const use of uses) addUse(grants, use);
    for (const watched of watches) grants.add(watched.kind.group, watched.kind.plural, cached);
    if (kind === undefined && cluster === undefined) grants.add("events.k8s.io", "events", ["create", "patch"]);
    if (kind === undefined || !here(kind)) continue;
    grants.add(kind.group, kind.plural, [...cached, "patch"]);
    if (mayHaveStatus(kind)) grants.add(kind.group, `${kind.plural}/status`, ["patch"]);
    if (owns.length > 0) grants.add(kind.group, `${kind.plural}/finalizers`, ["update"]);
    for (const child of owns) grants.add(child.group, child.plural, [...cached, "create", "patch", "delete"]);
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
  if (options.patchWebhooks === true) {
    grants.add(extensions, definitions, ["get", "patch"]);
    for (const resource of ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"])
      grants.add("admissionregistration.k8s.io", resource, ["get", "patch"]);
  }
  return grants.rules();
}

/**
 * The rules that leader election needs, alone: for a Role in the Lease's namespace beside the operator's ClusterRole, so that the operator
 * has no access to other Leases.
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

/** The RBAC verb and subresource behind a verb of `may`. */
const actions: Readonly<Record<string, readonly [subresource: string, verb: string]>> = {
  patchStatus: ["status", "patch"],
  evict: ["eviction", "create"],
  bind: ["binding", "create"],
};

function addUse(grants: Grants, { kind, verbs }: DeclaredAccess["uses"][number]): void {
  for (const verb of verbs) {
    const [subresource, action] = actions[verb] ?? [];
    if (subresource === undefined || action === undefined) grants.add(kind.group, kind.plural, [verb]);
    else grants.add(kind.group, `${kind.plural}/${subresource}`, [action]);
  }
}

/** Verbs per resource, merged over declarations. */
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
   * with equal resources and verbs; the verb `*` stands for all others.
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
