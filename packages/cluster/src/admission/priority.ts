import type { JsonObject } from "@kubewright/core/json";
import {
  childDraft,
  type Draft,
  forbidden,
  keepFrom,
  metadataOf,
  numberAt,
  objectAt,
  optionalNumber,
  textAt,
} from "../registry/index.js";
import type { Store } from "../storage/index.js";
import type { AdmissionPlugin } from "./plugin.js";
import { rejectionName } from "./rejection.js";

const pods = { group: "", plural: "pods", kind: "Pod" };

/** The bucket of PriorityClasses. */
const classesBucket = "priorityclasses.scheduling.k8s.io";

/** Priority: sets the priority and the preemption policy of a new pod from its PriorityClass; an update keeps them. */
export const priority: AdmissionPlugin = {
  name: "Priority",
  resources: ["pods"],
  mutate({ operation, subresource, object, old }, { store }) {
    if (subresource !== "") return;
    if (operation === "CREATE") setPriority(object, store);
    else if (operation === "UPDATE" && old && object["spec"] !== old["spec"])
      keepPriority(object, objectAt(old, "spec"));
  },
};

function keepPriority(draft: Draft, before: ReturnType<typeof objectAt>): void {
  const spec = childDraft(draft, "spec");
  for (const key of ["priority", "preemptionPolicy"]) if (spec[key] === undefined) keepFrom(spec, before, key);
}

function setPriority(draft: Draft, store: Store): void {
  const spec = childDraft(draft, "spec");
  const name = rejectionName({ name: "", operation: "CREATE", object: draft });
  const className = textAt(spec, "priorityClassName");
  const found = className === "" ? defaultClass(store) : store.bucket(classesBucket).get(className)?.object;
  if (className !== "" && !found) throw forbidden(pods, name, `no PriorityClass with name ${className} was found`);
  const priority = found ? numberAt(found, "value") : 0;
  const preemption = (found && textAt(found, "preemptionPolicy")) || "PreemptLowerPriority";
  const given = optionalNumber(spec, "priority");
  if (given !== undefined && given !== priority)
    throw forbidden(
      pods,
      name,
      `the integer value of priority (${given}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`,
    );
  const givenPolicy = textAt(spec, "preemptionPolicy");
  if (givenPolicy !== "" && givenPolicy !== preemption)
    throw forbidden(
      pods,
      name,
      `the string value of PreemptionPolicy (${givenPolicy}) must not be provided in pod spec; priority admission controller computed ${preemption} from the given PriorityClass name`,
    );
  if (found) spec["priorityClassName"] = textAt(metadataOf(found), "name");
  spec["priority"] = priority;
  spec["preemptionPolicy"] = preemption;
}

/** The global default PriorityClass; of several, the one with the lowest value. */
function defaultClass(store: Store): JsonObject | undefined {
  let lowest: JsonObject | undefined;
  for (const { object } of store.bucket(classesBucket).scan().records)
    if (object["globalDefault"] === true && (!lowest || numberAt(object, "value") < numberAt(lowest, "value")))
      lowest = object;
  return lowest;
}
