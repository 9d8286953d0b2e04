import type { Resource } from "../registry/index.js";

/** The fields of a resource that views need. */
export type ShownResource = Pick<Resource, "group" | "kind" | "listKind"> &
  Partial<Pick<Resource, "origin">> & {
    readonly strategy: Pick<Resource["strategy"], "table">;
  };
