import { copyFields, isJsonObject, type JsonObject } from "@kubewright/core/json";
import { labelSelectorFrom } from "@kubewright/core/selector";
import {
  ApiFailure,
  badRequest,
  childDraft,
  type Draft,
  deleteRecord,
  draftOf,
  draftsIn,
  listAt,
  metadataOf,
  notFound,
  numberAt,
  objectAt,
  optionalNumber,
  type Registry,
  type Resource,
  textAt,
  timestamp,
  trackWrite,
  writeRecord,
} from "../registry/index.js";

/** A create of the binding or eviction subresource of a Pod. */
export interface PodAction {
  readonly registry: Registry;
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
  readonly body: JsonObject;
  readonly dryRun: boolean;
}

const budgetsBucket = "poddisruptionbudgets.policy";

/** The response to a successful action. */
const done: JsonObject = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 };

function bodyOf({ body, name }: PodAction, kind: string): JsonObject {
  if (textAt(metadataOf(body), "name") !== name) throw badRequest(`name in URL does not match name in ${kind} object`);
  return body;
}

/** Binds a Pod to a node, as a scheduler does. */
export function bindPod(action: PodAction): JsonObject {
  const binding = bodyOf(action, "Binding");
  const { registry, resource, namespace, name, dryRun } = action;
  const target = objectAt(binding, "target");
  const kind = textAt(target, "kind");
  const problems: string[] = [];
  if (kind !== "" && kind !== "Node")
    problems.push(`target.kind: Unsupported value: ${JSON.stringify(kind)}: supported values: "Node", "<empty>"`);
  if (textAt(target, "name") === "") problems.push("target.name: Required value");
  if (problems.length > 0)
    throw new ApiFailure(500, "", problems.length === 1 ? (problems[0] ?? "") : `[${problems.join(", ")}]`);
  const record = registry.store.bucket(resource.bucket).get(`${namespace}/${name}`);
  if (!record) throw notFound(resource, name);
  const metadata = copyFields(metadataOf(record.object) as Draft);
  const spec = copyFields(objectAt(record.object, "spec") as Draft);
  const conflict = (why: string): ApiFailure =>
    new ApiFailure(409, "Conflict", `Operation cannot be fulfilled on pods/binding "${name}": ${why}`, {
      name,
      kind: "pods/binding",
    });
  if (metadata["deletionTimestamp"] !== undefined)
    throw conflict(`pod ${name} is being deleted, cannot be assigned to a host`);
  if (textAt(spec, "nodeName") !== "")
    throw conflict(`pod ${name} is already assigned to node ${JSON.stringify(textAt(spec, "nodeName"))}`);
  if (listAt(spec, "schedulingGates").length > 0) throw conflict(`pod ${name} has non-empty .spec.schedulingGates`);
  spec["nodeName"] = textAt(target, "name");
  for (const part of ["annotations", "labels"]) {
    const added = objectAt(metadataOf(binding), part);
    if (Object.keys(added).length > 0) metadata[part] = { ...objectAt(metadata, part), ...added } as Draft;
  }
  const status = copyFields(objectAt(record.object, "status") as Draft);
  if (status["nominatedNodeName"] !== undefined) delete status["nominatedNodeName"];
  setCondition(status, { type: "PodScheduled", status: "True" }, timestamp(registry.clock));
  const draft = Object.assign(copyFields(record.object as Draft), { metadata, spec, status });
  writeRecord({ context: registry, resource: resource, record, dryRun }, draft);
  return done;
}

function setCondition(status: Draft, desired: Readonly<Record<string, string>>, time: string): void {
  const conditions = draftsIn(status["conditions"]);
  const known = conditions.find((one) => one["type"] === desired["type"]);
  const isSame = known?.["status"] === desired["status"];
  const next: Draft = {
    lastProbeTime: null,
    lastTransitionTime: isSame ? (known?.["lastTransitionTime"] ?? time) : time,
    ...desired,
  };
  status["conditions"] = known ? conditions.map((one) => (one === known ? next : one)) : [...conditions, next];
}

/** Evicts a Pod if its PodDisruptionBudget allows it. */
export function evictPod(action: PodAction): JsonObject {
  const eviction = bodyOf(action, "Eviction");
  const { registry, resource, namespace, name } = action;
  const record = registry.store.bucket(resource.bucket).get(`${namespace}/${name}`);
  if (!record) throw notFound(resource, name);
  const pod = record.object;
  const options = objectAt(eviction, "deleteOptions");
  const dryRun = action.dryRun || listAt(options, "dryRun").length > 0;
  if (!canIgnoreBudget(pod)) checkAndDecrementBudget(action, pod, dryRun);
  const status = copyFields(objectAt(pod, "status") as Draft);
  const time = timestamp(registry.clock);
  const reason = "EvictionByEvictionAPI";
  const message = "Eviction API: evicting";
  setCondition(status, { type: "DisruptionTarget", status: "True", reason, message }, time);
  // The DisruptionTarget condition is written before the Pod is deleted.
  writeRecord(
    { context: registry, resource: resource, record, dryRun },
    Object.assign(copyFields(pod as Draft), { status }),
  );
  const written = dryRun ? record : registry.store.bucket(resource.bucket).get(record.key);
  const grace = optionalNumber(options, "gracePeriodSeconds");
  if (written)
    deleteRecord(registry, resource, written, {
      dryRun,
      ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    });
  return done;
}

/** Terminated, pending and terminating Pods do not count against a PodDisruptionBudget. */
function canIgnoreBudget(pod: JsonObject): boolean {
  const phase = textAt(objectAt(pod, "status"), "phase");
  return ["Succeeded", "Failed", "Pending"].includes(phase) || metadataOf(pod)["deletionTimestamp"] !== undefined;
}

function checkAndDecrementBudget({ registry, namespace, name }: PodAction, pod: JsonObject, dryRun: boolean): void {
  const budgets = registry.store
    .bucket(budgetsBucket)
    .list(`${namespace}/`)
    .filter(({ object }) => isSelected(object, pod));
  const [record] = budgets;
  if (!record) return;
  if (budgets.length > 1)
    throw new ApiFailure(
      500,
      "",
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    );
  const budget = record.object;
  const status = objectAt(budget, "status");
  const number = (key: string): number => numberAt(status, key);
  const isReady = listAt(objectAt(pod, "status"), "conditions").some(
    (one) => isJsonObject(one) && one["type"] === "Ready" && one["status"] === "True",
  );
  if (!isReady) {
    if (textAt(objectAt(budget, "spec"), "unhealthyPodEvictionPolicy") === "AlwaysAllow") return;
    if (number("currentHealthy") >= number("desiredHealthy") && number("desiredHealthy") > 0) return;
  }
  const budgetName = textAt(metadataOf(budget), "name");
  if (number("observedGeneration") < numberAt(metadataOf(budget), "generation"))
    throw tooMany(`The disruption budget ${budgetName} is still being processed by the server.`, 10);
  if (number("disruptionsAllowed") === 0) throw tooMany(disruptionMessage(budget, budgetName), 0);
  const draft = draftOf(budget);
  const next = childDraft(draft, "status");
  next["disruptionsAllowed"] = number("disruptionsAllowed") - 1;
  childDraft(next, "disruptedPods")[name] = timestamp(registry.clock);
  const budgetResource = registry.find("policy", "v1", "poddisruptionbudgets");
  if (!budgetResource) return;
  const written = { resource: budgetResource, old: budget, next: draft, subresource: "status" };
  const time = timestamp(registry.clock);
  const tracked = trackWrite({ ...written, options: { manager: "kube-apiserver" }, time });
  writeRecord({ context: registry, resource: budgetResource, record, dryRun }, tracked);
}

function isSelected(budget: JsonObject, pod: JsonObject): boolean {
  const selector = objectAt(budget, "spec")["selector"];
  if (!isJsonObject(selector)) return false;
  try {
    return labelSelectorFrom(selector).matches(objectAt(metadataOf(pod), "labels") as Readonly<Record<string, string>>);
  } catch {
    return false;
  }
}

function disruptionMessage(budget: JsonObject, name: string): string {
  const status = objectAt(budget, "status");
  const healthy = Number(status["currentHealthy"] ?? 0);
  const desired = Number(status["desiredHealthy"] ?? 0);
  const condition = listAt(status, "conditions").find(
    (one): one is JsonObject => isJsonObject(one) && one["type"] === "DisruptionAllowed" && one["status"] === "False",
  );
  const message = condition ? textAt(condition, "message") : "";
  if (condition && message !== "" && textAt(condition, "reason") === "SyncFailed")
    return `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${message}`;
  if (healthy <= desired)
    return `The disruption budget ${name} needs ${desired} healthy pods and has ${healthy} currently`;
  if (condition && message !== "")
    return `The disruption budget ${name} does not allow evicting pods currently (${textAt(condition, "reason")}): ${message}`;
  return `The disruption budget ${name} does not allow evicting pods currently`;
}

function tooMany(why: string, seconds: number): ApiFailure {
  return new ApiFailure(429, "TooManyRequests", "Cannot evict pod as it would violate the pod's disruption budget.", {
    causes: [{ reason: "DisruptionBudget", message: why }],
    ...(seconds === 0 ? {} : { retryAfterSeconds: seconds }),
  });
}
