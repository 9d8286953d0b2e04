import type { JsonObject } from "@kubewright/core/json";
import { metadataOf, objectAt, textAt } from "./draft.js";
import { humanDuration } from "./human-duration.js";
import type { Column, ColumnOf } from "./strategy.js";

/** The name of an object: the first column of most kinds. */
export const nameColumn: Column = {
  name: "Name",
  type: "string",
  format: "name",
  cell: (object) => textAt(metadataOf(object), "name"),
};

/** The number of entries in a map. */
export function countOf(map: JsonObject): number {
  return Object.keys(map).length;
}

/** The age of a time, as kubectl prints it; `<unknown>` for none. */
export function ageOf(time: string, nowMs: number): string {
  if (time === "") return "<unknown>";
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? "<invalid>" : humanDuration(nowMs - ms);
}

/** The age of an object, by its creation time. */
export const ageColumn: Column = {
  name: "Age",
  type: "string",
  cell: (object, nowMs) => ageOf(textAt(metadataOf(object), "creationTimestamp"), nowMs),
};

/** A column with a number; 0 if the object has none. */
export function countColumn<Read>(name: string, count: (object: Read) => number | undefined): ColumnOf<Read> {
  return { name, type: "integer", cell: (object) => count(object) ?? 0 };
}

/** The creation time: the default column of kinds that define none. */
export const createdColumn: Column = {
  name: "Created At",
  type: "date",
  cell: (object) => textAt(metadataOf(object), "creationTimestamp"),
};

/** The name, with `(default)` for the default object of its kind. */
export function nameOrDefaultColumn(...annotations: readonly string[]): Column {
  return {
    name: "Name",
    type: "string",
    format: "name",
    cell(object) {
      const own = objectAt(metadataOf(object), "annotations");
      const isDefault = annotations.some((key) => own[key] === "true");
      return `${textAt(metadataOf(object), "name")}${isDefault ? " (default)" : ""}`;
    },
  };
}
