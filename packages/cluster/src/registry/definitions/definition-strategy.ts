import type { CustomResourceDefinition, CustomResourceDefinitionCondition } from "kubewright/k8s/apiextensions/v1";
import { createdColumn, nameColumn } from "../columns.js";
import type { Drafted } from "../decoded.js";
import { childDraft, type Draft, drop } from "../draft.js";
import { keepOtherPart, specChanged } from "../kinds/spec-and-status.js";
import { subdomainName } from "../name-rules.js";
import type { Strategy } from "../strategy.js";
import { checkDefinition, checkDefinitionStatus } from "./check-definition.js";
import { formatWarnings } from "./format-warnings.js";
import { normalizeSchema } from "./normalize-schema.js";

/** The finalizer that holds a CRD until its custom resources are deleted. */
export const cleanUpFinalizer = "customresourcecleanup.apiextensions.k8s.io";

/** CustomResourceDefinition. */
export const definitionStrategy: Strategy<CustomResourceDefinition> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: false,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    const names = childDraft(spec, "names");
    if (names.kind) {
      names.singular ||= names.kind.toLowerCase();
      names.listKind ||= `${names.kind}List`;
    }
    spec.conversion ??= { strategy: "None" };
    for (const { schema } of spec.versions ?? []) if (schema?.openAPIV3Schema) normalizeSchema(schema.openAPIV3Schema);
  },
  prepareForCreate(draft) {
    // kube-apiserver encodes these lists as null until they are set, which the type does not allow.
    const status: Draft = { acceptedNames: { kind: "", plural: "" }, conditions: null, storedVersions: null };
    draft.status = status;
    addStoredVersion(draft);
  },
  prepareForUpdate(draft, old, context) {
    keepOtherPart(draft, old, context);
    if (context.subresource !== "status") addStoredVersion(draft);
  },
  isNewGeneration: specChanged,
  validate: (object, old, { subresource }) =>
    subresource === "status" ? checkDefinitionStatus(object) : checkDefinition(object, old),
  warn: formatWarnings,
  fields: {
    empty: { spec: { names: {} }, status: { acceptedNames: {} } },
  },
  deletion: {
    // The first delete only marks the CRD: its custom resources are deleted before it.
    isHeld: (object) => object.metadata?.finalizers?.includes(cleanUpFinalizer) === true,
    mark(draft, time) {
      const metadata = childDraft(draft, "metadata");
      // kube-apiserver deletes CRDs without a grace period and without a new generation.
      drop(metadata, "deletionGracePeriodSeconds");
      if (metadata.generation !== undefined) metadata.generation -= 1;
      const { finalizers = [] } = metadata;
      if (!finalizers.includes(cleanUpFinalizer)) metadata.finalizers = [...finalizers, cleanUpFinalizer];
      const conditions = withCondition(draft.status?.conditions ?? [], {
        type: "Terminating",
        status: "True",
        reason: "InstanceDeletionPending",
        message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
        lastTransitionTime: time,
      });
      draft.status = { ...draft.status, conditions };
    },
  },
  table: {
    columns: [nameColumn, createdColumn],
  },
};

/** `status.storedVersions` lists every version that ever was the storage version. */
function addStoredVersion(draft: Drafted<CustomResourceDefinition>): void {
  const storage = draft.spec?.versions?.find((version) => version.storage);
  if (!storage) return;
  const { name = "" } = storage;
  const stored = draft.status?.storedVersions ?? [];
  if (!stored.includes(name)) draft.status = { ...draft.status, storedVersions: [...stored, name] };
}

type Condition = Drafted<CustomResourceDefinitionCondition>;

/** The conditions with `next` set; lastTransitionTime changes only with the status. */
export function withCondition(conditions: readonly Condition[], next: Condition): Condition[] {
  const known = conditions.find((condition) => condition.type === next.type);
  if (!known) return [...conditions, next];
  const time = known.status === next.status ? known.lastTransitionTime : undefined;
  const merged = time === undefined ? next : { ...next, lastTransitionTime: time };
  return conditions.map((condition) => (condition === known ? merged : condition));
}
