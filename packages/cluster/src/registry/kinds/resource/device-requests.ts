import { deepEqual, type JsonObject } from "@kubewright/core/json";
import { invalid } from "@kubewright/core/schema";
import { childDraft, type Draft, draftsIn, isDraft, objectAt, setDefault, setMissing } from "../../draft.js";
import { subdomainName } from "../../name-rules.js";
import { immutable } from "../../validation/index.js";

/** The common strategy of DRA kinds. */
export const shared = { nameRule: subdomainName, allowUnconditionalUpdate: true, deletion: { returnsObject: true } };

/** Sets the defaults of the device requests of a ResourceClaimSpec. */
export function defaultRequests(spec: Draft): void {
  for (const request of draftsIn(childDraft(spec, "devices")["requests"])) {
    const choices = [request["exactly"], ...draftsIn(request["firstAvailable"])];
    for (const choice of choices) {
      if (!isDraft(choice)) continue;
      setDefault(choice, "allocationMode", "ExactCount");
      if (choice["allocationMode"] === "ExactCount") setMissing(choice, "count", 1);
    }
  }
}

/** Rejects a change of the spec. */
export function checkSame(object: JsonObject, old: JsonObject): ReturnType<typeof invalid>[] {
  const [spec, before] = [objectAt(object, "spec"), objectAt(old, "spec")];
  return deepEqual(spec, before) ? [] : [invalid("spec", spec, immutable)];
}
