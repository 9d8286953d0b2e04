import { ageColumn, nameColumn } from "./columns.js";
import { metadataOf, textAt } from "./draft.js";
import { subdomainName } from "./name-rules.js";
import type { Strategy } from "./resource.js";

/** Definitions of custom resources. */
export const definitionStrategy: Strategy = {
  nameRule: subdomainName,
  unconditionalUpdate: false,
  tracksGeneration: true,
  columns: [
    nameColumn,
    { name: "Created At", type: "date", cell: (object) => textAt(metadataOf(object), "creationTimestamp") },
  ],
};
void ageColumn;
