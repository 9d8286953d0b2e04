import { ageColumn, nameColumn } from "../../columns.js";
import { childDraft } from "../../draft.js";
import type { Strategy } from "../../resource.js";
import { checkSame, defaultRequests, shared } from "./device-requests.js";

/** ResourceClaimTemplate: the spec is immutable. */
export const resourceClaimTemplateStrategy: Strategy = {
  ...shared,
  tracksGeneration: false,
  applyDefaults: (draft) => defaultRequests(childDraft(childDraft(draft, "spec"), "spec")),
  check: (object, old) => (old ? checkSame(object, old) : []),
  columns: [nameColumn, ageColumn],
};
