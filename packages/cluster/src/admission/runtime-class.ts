import { deepEqual, goQuote, type JsonObject } from "@kubewright/core/json";
import { equalResources, parseResourceList } from "../quota/index.js";
import {
  type AdmissionRequest,
  childDraft,
  type Draft,
  draftsIn,
  objectAt,
  optionalNumber,
  textAt,
} from "../registry/index.js";
import type { Store } from "../storage/index.js";
import type { AdmissionPlugin } from "./plugin.js";
import { rejected } from "./rejection.js";

/** The bucket of RuntimeClasses. */
const classesBucket = "runtimeclasses.node.k8s.io";

const otherOverhead = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

/** RuntimeClass: sets the overhead, nodeSelector and tolerations of a new pod from its RuntimeClass, which must exist. */
export const runtimeClass: AdmissionPlugin = {
  name: "RuntimeClass",
  resources: ["pods"],
  mutate(request, { store }) {
    if (!isNew(request)) return;
    const found = classOfPod(request, store);
    if (found === undefined) return;
    setOverhead(request, found);
    setScheduling(request, objectAt(found, "scheduling"));
  },
  validate(request, { store }) {
    if (!isNew(request)) return;
    const given = objectAt(request.object, "spec")["overhead"];
    const found = classOfPod(request, store);
    const fixed = found && overheadOf(found);
    if (fixed !== undefined) {
      if (!isEqual(fixed, (given ?? {}) as JsonObject)) throw rejected(request, otherOverhead);
    } else if (given !== undefined)
      throw rejected(request, "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
  },
};

function isNew({ operation, subresource }: AdmissionRequest): boolean {
  return operation === "CREATE" && subresource === "";
}

/** The RuntimeClass that a pod names; undefined if it names none. Throws the rejection if the class does not exist. */
function classOfPod(request: AdmissionRequest, store: Store): JsonObject | undefined {
  const spec = objectAt(request.object, "spec");
  if (spec["runtimeClassName"] === undefined) return undefined;
  const name = textAt(spec, "runtimeClassName");
  const record = store.bucket(classesBucket).get(name);
  if (record === undefined) throw rejected(request, `pod rejected: RuntimeClass ${goQuote(name)} not found`);
  return record.object;
}

/** The fixed overhead of a RuntimeClass; undefined if it defines none. */
function overheadOf(found: JsonObject): JsonObject | undefined {
  return found["overhead"] === undefined ? undefined : objectAt(objectAt(found, "overhead"), "podFixed");
}

function isEqual(a: JsonObject, b: JsonObject): boolean {
  return equalResources(parseResourceList(a), parseResourceList(b));
}

function setOverhead(request: AdmissionRequest, found: JsonObject): void {
  const fixed = overheadOf(found);
  if (fixed === undefined) return;
  const spec = childDraft(request.object, "spec");
  const given = objectAt(spec, "overhead");
  if (Object.keys(given).length > 0 && !isEqual(fixed, given)) throw rejected(request, otherOverhead);
  spec["overhead"] = { ...(fixed as Draft) };
}

function setScheduling(request: AdmissionRequest, scheduling: JsonObject): void {
  const spec = childDraft(request.object, "spec");
  const selector = objectAt(scheduling, "nodeSelector");
  const given = objectAt(spec, "nodeSelector");
  for (const [key, value] of Object.entries(selector))
    if (Object.hasOwn(given, key) && given[key] !== value)
      throw rejected(
        request,
        `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${given[key]}`,
      );
  if (Object.keys(selector).length > 0) spec["nodeSelector"] = { ...(given as Draft), ...(selector as Draft) };
  const tolerations = merged([...draftsIn(spec["tolerations"]), ...copies(scheduling)]);
  if (tolerations.length > 0) spec["tolerations"] = tolerations;
}

function copies(scheduling: JsonObject): Draft[] {
  return draftsIn((scheduling as Draft)["tolerations"]).map((one) => ({ ...one }));
}

/** Drops each toleration that another one covers; of equal ones, the first stays. */
function merged(all: readonly Draft[]): Draft[] {
  const kept: Draft[] = [];
  for (const [index, one] of all.entries()) {
    const isCovered =
      kept.some((other) => covers(other, one)) ||
      all.slice(index + 1).some((other) => !deepEqual(other as JsonObject, one as JsonObject) && covers(other, one));
    if (!isCovered) kept.push(one);
  }
  return kept;
}

/** Whether a toleration tolerates all that another one does. */
function covers(wide: Draft, narrow: Draft): boolean {
  if (deepEqual(wide as JsonObject, narrow as JsonObject)) return true;
  const [key, effect, operator] = [textAt(wide, "key"), textAt(wide, "effect"), textAt(wide, "operator")];
  if (textAt(narrow, "key") !== key && (key !== "" || operator !== "Exists")) return false;
  if (textAt(narrow, "effect") !== effect && effect !== "") return false;
  const seconds = optionalNumber(wide, "tolerationSeconds");
  if (effect === "NoExecute" && seconds !== undefined) {
    const narrower = optionalNumber(narrow, "tolerationSeconds");
    if (narrower === undefined || narrower > seconds) return false;
  }
  if (operator === "Exists") return true;
  const isEqualOperator = operator === "Equal" || operator === "";
  return isEqualOperator && textAt(narrow, "operator") === "Equal" && textAt(narrow, "value") === textAt(wide, "value");
}
