import { OperatorError } from "@kubewright/core/errors";
import { deepFreeze, isJsonObject, type JsonValue } from "@kubewright/core/json";
import type { AnyKind } from "../definition/index.js";
import type { ListPageOptions } from "./client-options.js";
import type { MetadataOnlyObject } from "./metadata-only.js";
import type { NameOf } from "./object-name.js";

/** Which objects a table shows, and what comes with each row. */
export interface TableOptions<K extends AnyKind> extends ListPageOptions {
  /** One object; all that match where it is left out. */
  readonly name?: NameOf<K>;
  /** What comes with each row: nothing, the object's metadata, or the whole object. The server's own default is `Metadata`. */
  readonly includeObject?: "None" | "Metadata" | "Object";
}

/** One column of a {@link Table}. */
export interface TableColumn {
  readonly name: string;
  /** `string`, `integer`, `number`, `boolean` or `date`. */
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** 0 is always shown; higher ones where there is room, as with `kubectl -o wide`. */
  readonly priority: number;
}

/** One row of a {@link Table}: a cell per column, in their order. */
export interface TableRow {
  readonly cells: readonly JsonValue[];
  readonly object: (MetadataOnlyObject & { readonly [field: string]: unknown }) | undefined;
}

/** Objects as the server prints them: what `kubectl get` shows. */
export interface Table {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  readonly resourceVersion: string;
  /** Given to `table` for the next page; undefined on the last one. */
  readonly continue: string | undefined;
}

/** The table of a response. */
export function asTable(kind: AnyKind, body: unknown): Table {
  const { columnDefinitions, rows, metadata } = (isJsonObject(body) ? body : {}) as Record<string, unknown>;
  if (!Array.isArray(columnDefinitions) || !isJsonObject(metadata)) {
    throw new OperatorError("NOT_SUPPORTED", `Cannot read ${kind.kind} objects as a table: the server gives none`);
  }
  const { resourceVersion, continue: next } = metadata;
  return deepFreeze({
    columns: columnDefinitions.map(asColumn),
    rows: Array.isArray(rows) ? rows.map(asRow) : [],
    resourceVersion: text(resourceVersion),
    continue: typeof next === "string" && next !== "" ? next : undefined,
  }) as Table;
}

function asColumn(value: unknown): TableColumn {
  const { name, type, format, description, priority } = (isJsonObject(value) ? value : {}) as Record<string, unknown>;
  return {
    name: text(name),
    type: text(type),
    format: text(format),
    description: text(description),
    priority: typeof priority === "number" ? priority : 0,
  };
}

function asRow(value: unknown): TableRow {
  const { cells, object } = (isJsonObject(value) ? value : {}) as Record<string, unknown>;
  return {
    cells: Array.isArray(cells) ? cells : [],
    object: isJsonObject(object) ? (object as unknown as MetadataOnlyObject) : undefined,
  } as TableRow;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
