import type { ResourceClaimTemplate } from "kubewright/k8s/resource/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import { childDraft } from "../../draft.js";
import type { Strategy } from "../../strategy.js";
import { checkSame, defaultRequests, shared } from "./device-requests.js";

/** ResourceClaimTemplate: the spec is immutable. */
export const resourceClaimTemplateStrategy: Strategy<ResourceClaimTemplate> = {
  ...shared,
  applyDefaults: (draft) => defaultRequests(childDraft(childDraft(draft, "spec"), "spec")),
  validate: (object, old) => (old ? checkSame(object, old) : []),
  table: {
    columns: [nameColumn, ageColumn],
  },
};
