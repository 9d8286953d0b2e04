import type { JsonObject } from "@kubewright/core/json";
import { ageColumn, nameColumn } from "../columns.js";
import { type Draft, keepFrom } from "../draft.js";
import { subdomainName } from "../name-rules.js";
import { differsOutsideStatus } from "../same-object.js";
import type { Strategy, StrategyContext } from "../strategy.js";

/** The strategy of kinds that have no specific one: objects are stored without defaults and validation. */
export function genericStrategy(hasStatus: boolean): Strategy {
  return {
    nameRule: subdomainName,
    allowUnconditionalUpdate: true,
    ...(hasStatus ? withStatus : {}),
    table: {
      columns: [nameColumn, ageColumn],
    },
  };
}

/** For kinds with a status subresource: a write to the main resource keeps the status, a write to the status keeps the rest. */
const withStatus = {
  isNewGeneration: differsOutsideStatus,
  prepareForCreate(draft: Draft): void {
    if (draft["status"] !== undefined) draft["status"] = {};
  },
  prepareForUpdate(draft: Draft, old: JsonObject, { subresource }: StrategyContext): void {
    if (subresource !== "status") keepFrom(draft, old, "status");
    else
      for (const key of Object.keys({ ...old, ...draft }))
        if (key !== "status" && key !== "metadata") keepFrom(draft, old, key);
  },
} satisfies Partial<Strategy>;
