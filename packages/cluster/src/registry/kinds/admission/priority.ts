import type { JsonObject } from "@kubewright/core/json";
import type { Store } from "../../../storage/index.js";
import { forbidden } from "../../api-failure.js";
import { childDraft, type Draft, metadataOf, numberAt, optionalNumber, textAt } from "../../draft.js";

const pods = { group: "", plural: "pods", kind: "Pod" };

/** The bucket of PriorityClasses. */
const classesBucket = "priorityclasses.scheduling.k8s.io";

/** Priority: sets the priority and the preemption policy of a new pod from its PriorityClass or the default one. */
export function admitPriority(draft: Draft, store: Store): void {
  const spec = childDraft(draft, "spec");
  const name = textAt(metadataOf(draft), "name");
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

/** The PriorityClass of pods that name none: of several defaults, the lowest. */
function defaultClass(store: Store): JsonObject | undefined {
  let lowest: JsonObject | undefined;
  for (const { object } of store.bucket(classesBucket).scan().records)
    if (object["globalDefault"] === true && (!lowest || numberAt(object, "value") < numberAt(lowest, "value")))
      lowest = object;
  return lowest;
}
