import type { JsonValue } from "@kubewright/core/json";
import type { Logger } from "@kubewright/core/log";
import {
  type AggregatedRole,
  aggregatedRoleOf,
  aggregatedRules,
  sameRules,
  serviceAccountUser,
} from "../access/index.js";
import { applyObject, emptyBody, type Registry, type Resource } from "../registry/index.js";
import type { Change } from "../storage/index.js";
import { WorkSet } from "./work-set.js";

const bucketName = "clusterroles.rbac.authorization.k8s.io";
const manager = "clusterrole-aggregation-controller";
const user = serviceAccountUser("kube-system", manager);

/** Sets the rules of ClusterRoles with an aggregationRule to those of the ClusterRoles that they select. */
export class AggregationController {
  readonly #registry: Registry;
  readonly #work: WorkSet;
  readonly #logger: Logger;
  /** Number of writes that wait for an asynchronous admission plugin. */
  #pending = 0;

  constructor(registry: Registry, logger: Logger) {
    this.#registry = registry;
    this.#logger = logger;
    this.#work = new WorkSet(() => this.#sync(), logger);
  }

  /** Whether no ClusterRole is waiting to be synced. */
  get idle(): boolean {
    return this.#work.idle && this.#pending === 0;
  }

  /** Call this after every write to the store. Any ClusterRole may be part of any aggregated one, so all are synced, once per batch. */
  onChange(bucket: string, _change: Change): void {
    if (bucket === bucketName) this.#work.add(bucketName);
  }

  close(): void {
    this.#work.close();
  }

  #sync(): void {
    const resource = this.#registry.find("rbac.authorization.k8s.io", "v1", "clusterroles");
    if (resource === undefined) return;
    const roles = this.#registry.store
      .bucket(bucketName)
      .list()
      .map(({ object }) => aggregatedRoleOf(object));
    for (const role of roles) if (role.selectors !== undefined) this.#aggregate(resource, role, roles);
  }

  #aggregate(resource: Resource, role: AggregatedRole, roles: readonly AggregatedRole[]): void {
    const { name } = role;
    const rules = aggregatedRules(role, roles);
    if (sameRules(rules, role.rules)) return;
    const value = {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name },
      rules: rules as unknown as JsonValue,
    };
    const options = { dryRun: false, manager, fieldValidation: "Strict", force: true, user, warn() {} } as const;
    const target = { namespace: "", name, subresource: "" };
    const body = { ...emptyBody, value };
    const applied = applyObject({ context: this.#registry, resource, target, options, body });
    if (applied instanceof Promise) void this.#wait(name, applied);
  }

  async #wait(name: string, applied: Promise<unknown>): Promise<void> {
    this.#pending++;
    try {
      await applied;
    } catch (error) {
      this.#logger.error({ err: error, key: name }, "API controller failed to sync a key");
    } finally {
      this.#pending--;
    }
  }
}
