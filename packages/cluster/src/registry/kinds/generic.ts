import { ageColumn, nameColumn } from "../columns.js";
import { type Draft, keepFrom } from "../draft.js";
import { subdomainName } from "../name-rules.js";
import type { Strategy } from "../resource.js";

/** The strategy of a kind without code of its own: its objects are stored without defaults and validation. */
export function genericStrategy(hasStatus: boolean): Strategy {
  return {
    nameRule: subdomainName,
    unconditionalUpdate: true,
    tracksGeneration: hasStatus,
    ...(hasStatus ? withStatus : {}),
    columns: [nameColumn, ageColumn],
  };
}

/** For kinds with a status subresource: an update of the object keeps the status, an update of the status keeps the rest. */
const withStatus = {
  prepareNew(draft: Draft): void {
    if (draft["status"] !== undefined) draft["status"] = {};
  },
  prepareChange(draft: Draft, old: Parameters<typeof keepFrom>[1], subresource: string): void {
    if (subresource !== "status") keepFrom(draft, old, "status");
    else
      for (const key of Object.keys({ ...old, ...draft }))
        if (key !== "status" && key !== "metadata") keepFrom(draft, old, key);
  },
} satisfies Partial<Strategy>;
