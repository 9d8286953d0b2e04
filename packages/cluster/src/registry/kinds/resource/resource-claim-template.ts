import type { ResourceClaimTemplate } from "kubewright/k8s/resource/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import { childDraft } from "../../draft.js";
import type { Strategy } from "../../strategy.js";
import { checkSpecImmutable, defaultRequests, shared } from "./device-requests.js";

/** ResourceClaimTemplate. The spec is immutable. */
export const resourceClaimTemplateStrategy: Strategy<ResourceClaimTemplate> = {
  ...shared,
  applyDefaults: (draft) => defaultRequests(childDraft(childDraft(draft, "spec"), "spec")),
  validate: (object, old) => (old ? checkSpecImmutable(object, old) : []),
  table: {
    columns: [nameColumn, ageColumn],
  },
};
