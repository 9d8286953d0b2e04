import type { Resource } from "../registry/index.js";

/** What of a resource decides how it is shown. */
export type ShownResource = Pick<Resource, "group" | "kind" | "listKind"> &
  Partial<Pick<Resource, "origin">> & {
    readonly strategy: Pick<Resource["strategy"], "table">;
  };
