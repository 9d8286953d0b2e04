import type { JsonValue } from "@kubewright/core/json";
import type { Logger } from "@kubewright/core/log";
import {
  type AggregatedRole,
  aggregatedRoleOf,
  aggregatedRules,
  sameRules,
  serviceAccountUser,
} from "../access/index.js";
import { andThen, applyObject, type Eventually, emptyBody, type Registry, type Resource } from "../registry/index.js";
import type { Change } from "../storage/index.js";
import { allWritten } from "./controller-writes.js";
import { WorkSet } from "./work-set.js";

const bucketName = "clusterroles.rbac.authorization.k8s.io";
const manager = "clusterrole-aggregation-controller";
const user = serviceAccountUser("kube-system", manager);

/** Sets the rules of ClusterRoles with an aggregationRule to those of the ClusterRoles that they select. */
export class AggregationController {
  readonly #registry: Registry;
  readonly #work: WorkSet;

  constructor(registry: Registry, logger: Logger) {
    this.#registry = registry;
    this.#work = new WorkSet(() => this.#sync(), { clock: registry.clock, logger });
  }

  /** Whether no ClusterRole is waiting to be synced. */
  get idle(): boolean {
    return this.#work.idle;
  }

  /** Call this after every write to the store. Any ClusterRole may be part of any aggregated one, so all are synced, once per batch. */
  onChange(bucket: string, _change: Change): void {
    if (bucket === bucketName) this.#work.add(bucketName);
  }

  close(): void {
    this.#work.close();
  }

  #sync(): Eventually<void> {
    const resource = this.#registry.find("rbac.authorization.k8s.io", "v1", "clusterroles");
    if (resource === undefined) return undefined;
    const roles = this.#registry.store
      .bucket(bucketName)
      .list()
      .map(({ object }) => aggregatedRoleOf(object));
    const aggregated = roles.filter(({ selectors }) => selectors !== undefined);
    return allWritten(aggregated.map((role) => () => this.#aggregate(resource, role, roles)));
  }

  #aggregate(resource: Resource, role: AggregatedRole, roles: readonly AggregatedRole[]): Eventually<void> {
    const { name } = role;
    const rules = aggregatedRules(role, roles);
    if (sameRules(rules, role.rules)) return undefined;
    const value = {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name },
      rules: rules as unknown as JsonValue,
    };
    const options = { dryRun: false, manager, fieldValidation: "Strict", force: true, user, warn() {} } as const;
    const target = { namespace: "", name, subresource: "" };
    const body = { ...emptyBody, value };
    return andThen(applyObject({ context: this.#registry, resource, target, options, body }), () => undefined);
  }
}
