import type { FieldError } from "@kubewright/core/schema";
import type { Namespace } from "kubewright/k8s/core/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import type { Decoded, Drafted } from "../../decoded.js";
import { childDraft, drop, keepFrom } from "../../draft.js";
import { labelName, qualifiedName } from "../../name-rules.js";
import { invalidAt } from "../../object-meta.js";
import type { Strategy } from "../../strategy.js";

const standardFinalizers = ["kubernetes", "orphan", "foregroundDeletion"];

/** Namespace. The finalizers in its spec hold it while it is terminating. */
export const namespaceStrategy: Strategy<Namespace> = {
  nameRule: labelName,
  allowUnconditionalUpdate: true,
  applyDefaults(draft) {
    labelByName(draft);
    childDraft(draft, "status").phase ||= "Active";
    childDraft(draft, "spec");
  },
  prepareForCreate(draft) {
    // After generateName has set the name.
    labelByName(draft);
    draft.status = { phase: "Active" };
    const spec = childDraft(draft, "spec");
    const finalizers = spec.finalizers ?? [];
    if (!finalizers.includes("kubernetes")) spec.finalizers = [...finalizers, "kubernetes"];
  },
  prepareForUpdate(draft, old, { subresource }) {
    if (subresource !== "status") keepFrom(draft, old, "status");
    // Only the finalize subresource changes the spec.
    if (subresource !== "finalize") keepFrom(draft, old, "spec");
  },
  validate(object, old, { subresource }) {
    if (subresource === "status") return checkPhase(object);
    if (subresource === "" && old) return [];
    return (object.spec?.finalizers ?? []).flatMap((finalizer, index) => {
      const isUnqualified = !finalizer.includes("/") && !standardFinalizers.includes(finalizer);
      return [
        ...qualifiedName(finalizer),
        ...(isUnqualified ? ["name is neither a standard finalizer name nor is it fully qualified"] : []),
      ].map((detail) => invalidAt(`spec.finalizers${subresource === "" ? "" : `[${index}]`}`, finalizer, detail));
    });
  },
  selectableFields: { "status.phase": (object) => object.status?.phase ?? "" },
  deletion: {
    isHeld: ({ spec }) => (spec?.finalizers?.length ?? 0) > 0,
    mark(draft) {
      drop(childDraft(draft, "metadata"), "deletionGracePeriodSeconds");
      draft.status = { ...draft.status, phase: "Terminating" };
    },
  },
  table: {
    columns: [nameColumn, { name: "Status", type: "string", cell: (object) => object.status?.phase ?? "" }, ageColumn],
  },
};

/** Validates the phase against the deletionTimestamp. */
function checkPhase({ metadata, status }: Decoded<Namespace>): FieldError[] {
  const phase = status?.phase ?? "";
  const isTerminating = metadata?.deletionTimestamp !== undefined;
  if (phase === (isTerminating ? "Terminating" : "Active")) return [];
  const detail = isTerminating
    ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
    : "may only be 'Active' if `deletionTimestamp` is empty";
  return [invalidAt("status.Phase", phase, detail)];
}

function labelByName(draft: Drafted<Namespace>): void {
  const metadata = childDraft(draft, "metadata");
  if (metadata.name) childDraft(metadata, "labels")["kubernetes.io/metadata.name"] = metadata.name;
}
