import {
  ClusterAuthorizer,
  type ResourceAttributes,
  serviceAccountUser,
} from "../../packages/cluster/src/access/index.js";
import { Store } from "../../packages/cluster/src/storage/index.js";
import type { Comparison } from "./comparison.js";

const group = "rbac.authorization.k8s.io";
const bindings = 1_000;
const decisions = 200_000;
const maxNs = 5_000;

/**
 * The cost of a decision of the authorizer in process with 1,000 RoleBindings in 100 namespaces, in nanoseconds: cached, of a user with 100 bindings, and
 * the first one after a role was written.
 */
export function measureAccess(): Comparison[] {
  const store = new Store();
  for (let index = 0; index < bindings; index++) {
    const namespace = `n${index % 100}`;
    const metadata = { name: `b${index}`, namespace };
    const rules = [{ apiGroups: ["apps"], resources: ["deployments", "replicasets"], verbs: ["get", "list", "patch"] }];
    store.put(`roles.${group}`, `${namespace}/b${index}`, 0, () => ({ metadata, rules }));
    const subjects = [{ kind: "ServiceAccount", name: index < 100 ? "many" : `s${index}`, namespace: "ops" }];
    const roleRef = { apiGroup: group, kind: "Role", name: `b${index}` };
    store.put(`rolebindings.${group}`, `${namespace}/b${index}`, 0, () => ({ metadata, roleRef, subjects }));
  }
  const authorizer = new ClusterAuthorizer(store, () => []);
  const one = serviceAccountUser("ops", "s500");
  const many = serviceAccountUser("ops", "many");
  const attributes = (namespace: string, verb: string): ResourceAttributes => ({
    kind: "resource",
    verb,
    group: "apps",
    resource: "deployments",
    subresource: "",
    namespace,
    name: "web",
  });
  const allowed = Array.from({ length: 100 }, (_, index) => attributes(`n${index}`, "patch"));
  const denied = allowed.map((one) => ({ ...one, verb: "delete" }));
  const manyNs = ns(
    decisions,
    (index) => authorizer.authorize(many, allowed[index % 100] ?? attributes("", "")).allowed,
  );
  const firstNs = ns(2_000, () => {
    const key = "n0/b0";
    const record = store.bucket(`roles.${group}`).get(key);
    if (record) store.put(`roles.${group}`, key, record.revision, () => record.object);
    return authorizer.authorize(many, attributes("n1", "patch")).allowed;
  });
  return [
    line(
      "Decision of a user with one of 1,000 bindings",
      ns(decisions, () => authorizer.authorize(one, attributes("n0", "patch")).allowed),
    ),
    line("Decision of a user with 100 of them, allowed", manyNs),
    line(
      "Decision of a user with 100 of them, denied",
      ns(decisions, (index) => authorizer.authorize(many, denied[index % 100] ?? attributes("", "")).allowed),
    ),
    { ...line("First decision of that user after a role was written", firstNs), theirs: undefined, goal: 0 },
  ];
}

/** CPU time of a call in nanoseconds, after a warm-up. */
function ns(count: number, decide: (index: number) => boolean): number {
  for (let index = 0; index < count / 10; index++) decide(index);
  const before = process.cpuUsage().user;
  for (let index = 0; index < count; index++) decide(index);
  return ((process.cpuUsage().user - before) * 1_000) / count;
}

function line(name: string, ours: number): Comparison {
  return { name, unit: "ns", ours, theirs: maxNs, moreIsBetter: false, goal: 1 };
}
