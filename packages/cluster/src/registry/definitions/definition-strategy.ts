import { deepEqual } from "@kubewright/core/json";
import { nameColumn } from "../columns.js";
import {
  childDraft,
  type Draft,
  draftsIn,
  isDraft,
  keepFrom,
  metadataOf,
  objectAt,
  setDefault,
  textAt,
  textsAt,
} from "../draft.js";
import { subdomainName } from "../name-rules.js";
import type { Strategy } from "../strategy.js";
import { checkDefinition, checkDefinitionStatus, hasRules } from "./check-definition.js";
import { formatWarnings } from "./format-warnings.js";
import { settleSchema } from "./settle-schema.js";

/** The finalizer by which a definition waits for its objects to be gone. */
export const cleanUpFinalizer = "customresourcecleanup.apiextensions.k8s.io";

/** Definitions of custom resources. */
export const definitionStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: false,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    const names = childDraft(spec, "names");
    const kind = textAt(names, "kind");
    if (kind !== "") {
      setDefault(names, "singular", kind.toLowerCase());
      setDefault(names, "listKind", `${kind}List`);
    }
    if (!isDraft(spec["conversion"])) spec["conversion"] = { strategy: "None" };
    for (const version of draftsIn(spec["versions"])) {
      const schema = isDraft(version["schema"]) ? version["schema"]["openAPIV3Schema"] : undefined;
      if (isDraft(schema)) settleSchema(schema);
    }
  },
  prepareForCreate(draft) {
    draft["status"] = { acceptedNames: { kind: "", plural: "" }, conditions: null, storedVersions: null };
    addStoredVersion(draft);
  },
  prepareForUpdate(draft, old, { subresource }) {
    if (subresource === "status") keepFrom(draft, old, "spec");
    else {
      const status = objectAt(old, "status");
      draft["status"] = { ...status } as Draft;
      addStoredVersion(draft);
    }
  },
  isNewGeneration: (object, old) => !deepEqual(object["spec"], old["spec"]),
  validate: (object, old, { subresource, extensions }) =>
    subresource === "status" ? checkDefinitionStatus(object) : checkDefinition(object, old, extensions),
  warn(object, old) {
    const advice = formatWarnings(object, old);
    if (!hasRules(object)) return advice;
    return [
      ...advice,
      `the validation rules (x-kubernetes-validations) of ${textAt(metadataOf(object), "name")} are not evaluated by this server`,
    ];
  },
  fields: {
    empty: { spec: { names: {} }, status: { acceptedNames: {} } },
  },
  deletion: {
    // The first delete only marks it: its objects go before it.
    isHeld: (object) => textsAt(metadataOf(object), "finalizers").includes(cleanUpFinalizer),
    mark(draft, time) {
      const metadata = childDraft(draft, "metadata");
      // Here a real server takes a path of its own, which knows no grace and counts no generation.
      delete metadata["deletionGracePeriodSeconds"];
      if (typeof metadata["generation"] === "number") metadata["generation"] -= 1;
      const finalizers = Array.isArray(metadata["finalizers"]) ? metadata["finalizers"] : [];
      if (!finalizers.includes(cleanUpFinalizer)) metadata["finalizers"] = [...finalizers, cleanUpFinalizer];
      const status = { ...childDraft(draft, "status") };
      status["conditions"] = withCondition(draftsIn(status["conditions"]), {
        type: "Terminating",
        status: "True",
        reason: "InstanceDeletionPending",
        message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
        lastTransitionTime: time,
      });
      draft["status"] = status;
    },
  },
  table: {
    columns: [
      nameColumn,
      { name: "Created At", type: "date", cell: (object) => textAt(metadataOf(object), "creationTimestamp") },
    ],
  },
};

/** `status.storedVersions` names every version that ever was the storage version. */
function addStoredVersion(draft: Draft): void {
  const storage = draftsIn(childDraft(draft, "spec")["versions"]).find((version) => version["storage"] === true);
  const name = storage && textAt(storage, "name");
  if (name === undefined) return;
  const status = childDraft(draft, "status");
  const stored = Array.isArray(status["storedVersions"]) ? status["storedVersions"] : [];
  if (!stored.includes(name)) status["storedVersions"] = [...stored, name];
}

/** The conditions with one of them set; its transition time changes only with its status. */
export function withCondition(conditions: readonly Draft[], next: Draft): Draft[] {
  const known = conditions.find((condition) => condition["type"] === next["type"]);
  if (!known) return [...conditions, next];
  const time = known["status"] === next["status"] ? known["lastTransitionTime"] : next["lastTransitionTime"];
  const merged: Draft = { ...next, lastTransitionTime: time ?? null };
  return conditions.map((condition) => (condition === known ? merged : condition));
}
