import type { JsonObject } from "@kubewright/core/json";
import type { Store } from "../../storage/index.js";
import { forbidden } from "../api-failure.js";
import { childDraft, type Draft, draftsIn, metadataOf, textAt } from "../draft.js";
import { numberAt, optionalNumber } from "./field-checks.js";

const pods = { group: "", plural: "pods", kind: "Pod" };
/** The bucket of priority classes. */
const classesBucket = "priorityclasses.scheduling.k8s.io";

/** Gives a new pod its priority, by the class that it names or by the one that is the default. */
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

/** The class of pods that name none: of several defaults, the lowest. */
function defaultClass(store: Store): JsonObject | undefined {
  let lowest: JsonObject | undefined;
  for (const { object } of store.bucket(classesBucket).scan().records)
    if (object["globalDefault"] === true && (!lowest || numberAt(object, "value") < numberAt(lowest, "value")))
      lowest = object;
  return lowest;
}

/** Lets a new pod bear a node that fails for five minutes, unless it says otherwise. */
export function admitTolerations(draft: Draft): void {
  const spec = childDraft(draft, "spec");
  const known = draftsIn(spec["tolerations"]);
  const added: Draft[] = [];
  for (const key of ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"]) {
    const isBorne = known.some(
      (one) =>
        (one["key"] === key || (one["key"] ?? "") === "") &&
        (one["effect"] === "NoExecute" || (one["effect"] ?? "") === ""),
    );
    if (!isBorne) added.push({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 });
  }
  if (added.length > 0) spec["tolerations"] = [...known, ...added];
}
