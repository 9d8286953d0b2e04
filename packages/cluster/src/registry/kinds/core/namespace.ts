import type { JsonObject } from "@kubewright/core/json";
import type { FieldError } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../columns.js";
import { childDraft, type Draft, keepFrom, objectAt, setDefault, textAt, textsAt } from "../../draft.js";
import { labelName, qualifiedName } from "../../name-rules.js";
import { invalidAt } from "../../object-meta.js";
import type { Strategy } from "../../strategy.js";

const standardFinalizers = ["kubernetes", "orphan", "foregroundDeletion"];

/** Namespace: it stays until the finalizer in its spec is removed. */
export const namespaceStrategy: Strategy = {
  nameRule: labelName,
  allowUnconditionalUpdate: true,
  applyDefaults(draft) {
    labelByName(draft);
    setDefault(childDraft(draft, "status"), "phase", "Active");
    childDraft(draft, "spec");
  },
  prepareForCreate(draft) {
    // After generateName has set the name.
    labelByName(draft);
    draft["status"] = { phase: "Active" };
    const spec = childDraft(draft, "spec");
    const finalizers = Array.isArray(spec["finalizers"]) ? spec["finalizers"] : [];
    if (!finalizers.includes("kubernetes")) spec["finalizers"] = [...finalizers, "kubernetes"];
  },
  prepareForUpdate(draft, old, { subresource }) {
    if (subresource !== "status") keepFrom(draft, old, "status");
    // Only the finalize subresource changes the spec.
    if (subresource !== "finalize") keepFrom(draft, old, "spec");
  },
  validate(object, old, { subresource }) {
    if (subresource === "status") return checkPhase(object);
    if (subresource === "" && old) return [];
    return textsAt(objectAt(object, "spec"), "finalizers").flatMap((finalizer, index) => {
      const isAnybodys = !finalizer.includes("/") && !standardFinalizers.includes(finalizer);
      return [
        ...qualifiedName(finalizer),
        ...(isAnybodys ? ["name is neither a standard finalizer name nor is it fully qualified"] : []),
      ].map((detail) => invalidAt(`spec.finalizers${subresource === "" ? "" : `[${index}]`}`, finalizer, detail));
    });
  },
  selectableFields: { "status.phase": (object) => textAt(objectAt(object, "status"), "phase") },
  deletion: {
    isHeld: (object) => textsAt(objectAt(object, "spec"), "finalizers").length > 0,
    mark(draft) {
      delete childDraft(draft, "metadata")["deletionGracePeriodSeconds"];
      draft["status"] = { ...childDraft(draft, "status"), phase: "Terminating" };
    },
  },
  table: {
    columns: [
      nameColumn,
      { name: "Status", type: "string", cell: (object) => textAt(objectAt(object, "status"), "phase") },
      ageColumn,
    ],
  },
};

/** Validates the phase against the deletionTimestamp. */
function checkPhase(object: JsonObject): FieldError[] {
  const phase = textAt(objectAt(object, "status"), "phase");
  const isLeaving = objectAt(object, "metadata")["deletionTimestamp"] !== undefined;
  if (phase === (isLeaving ? "Terminating" : "Active")) return [];
  const said = isLeaving
    ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
    : "may only be 'Active' if `deletionTimestamp` is empty";
  return [invalidAt("status.Phase", phase, said)];
}

function labelByName(draft: Draft): void {
  const metadata = childDraft(draft, "metadata");
  const name = metadata["name"];
  if (typeof name === "string" && name !== "") childDraft(metadata, "labels")["kubernetes.io/metadata.name"] = name;
}
