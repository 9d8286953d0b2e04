import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { isJsonObject } from "@kubewright/core/json";
import {
  ApiFailure,
  type Column,
  listAt,
  metadataOf,
  objectAt,
  textAt,
  type WatchEvent,
  type WatchStream,
} from "../registry/index.js";
import type { EventStream } from "./api-request.js";
import { type MetaVersion, notAcceptable, type View } from "./negotiation.js";
import type { ShownResource } from "./shown-resource.js";
import type { ShownResult } from "./verb-call.js";

/** Options of a view. */
export interface ViewContext {
  readonly resource: ShownResource;
  readonly view: View;
  /** The apiVersion of tables and partial metadata. */
  readonly metaVersion: MetaVersion;
  /** `includeObject` of a table: the object in each row. */
  readonly include: "None" | "Metadata" | "Object";
  readonly nowMs: () => number;
}

/** An object or list in the requested view. */
export function viewOf(result: ShownResult, requested: ViewContext): JsonObject {
  const { view } = requested;
  if (view === "object" || result.kind === "status") return result.object;
  const isList = result.kind === "list";
  const context = !isList && result.shownAs ? { ...requested, resource: result.shownAs } : requested;
  const { resource } = context;
  switch (view) {
    case "Table":
      return tableOf(isList ? itemsOf(result.object) : [result.object], listMeta(result.object, isList), context, true);
    case "PartialObjectMetadata":
      if (isList)
        throw notAcceptable(
          `you requested PartialObjectMetadata, but the requested object is a list (${goType(resource, resource.listKind)})`,
        );
      return partialOf(result.object, context);
    case "PartialObjectMetadataList":
      // kube-apiserver treats a custom resource as a list here and fails.
      if (!isList && resource.origin === "custom") throw new ApiFailure(500, "", "content is not a list");
      if (!isList)
        throw notAcceptable(
          `you requested PartialObjectMetadataList, but the requested object is not a list (${goType(resource, resource.kind)})`,
        );
      return {
        kind: "PartialObjectMetadataList",
        apiVersion: context.metaVersion,
        metadata: listMeta(result.object, true),
        items: emptyAsNull(itemsOf(result.object).map((item) => partialOf(item, context))),
      };
    default:
      return view satisfies never;
  }
}

/** The Go type of an object in kube-apiserver. */
function goType({ origin, group }: ShownResource, kind: string): string {
  if (origin === "custom") return "*unstructured.UnstructuredList";
  const [name = ""] = group.split(".");
  return `*${name === "" ? "core" : name}.${kind}`;
}

/** The events of a watch in the requested view. Only the first table has column definitions. */
export function viewWatch(stream: WatchStream, context: ViewContext): EventStream {
  if (context.view === "object") return stream;
  let isFirst = true;
  const show = (event: WatchEvent): unknown => {
    if (event.type === "ERROR") return event;
    if (context.view !== "Table") return { type: event.type, object: partialOf(event.object, context) };
    const table = tableOf([event.object], listMeta(event.object, false), context, isFirst);
    isFirst = false;
    return { type: event.type, object: table };
  };
  return {
    get closed() {
      return stream.closed;
    },
    take() {
      const event = stream.take();
      return event && show(event);
    },
    close: () => stream.close(),
    [Symbol.asyncIterator]: () => ({
      async next() {
        const { done, value } = await stream.next();
        return done === true ? { done: true, value: undefined } : { done: false, value: show(value) };
      },
      return: () => stream.return(),
    }),
  };
}

function itemsOf(list: JsonObject): JsonObject[] {
  return listAt(list, "items").filter(isJsonObject);
}

function listMeta(object: JsonObject, isList: boolean): JsonObject {
  const { continue: next, ...metadata } = metadataOf(object);
  if (!isList) return { resourceVersion: textAt(metadataOf(object), "resourceVersion") };
  return next === undefined || next === "" ? metadata : { ...metadata, continue: next };
}

function partialOf(object: JsonObject, { metaVersion }: ViewContext): JsonObject {
  return { kind: "PartialObjectMetadata", apiVersion: metaVersion, metadata: objectAt(object, "metadata") };
}

/** In kube-apiserver an empty PartialObjectMetadataList has null items, unlike other lists. */
function emptyAsNull(items: readonly JsonObject[]): readonly JsonObject[] | null {
  return items.length === 0 ? null : items;
}

function rowConditions(object: JsonObject, { strategy }: ShownResource): JsonObject {
  const conditions = strategy.table.rowConditions?.(object) ?? [];
  return conditions.length === 0 ? {} : { conditions };
}

function tableOf(
  objects: readonly JsonObject[],
  metadata: JsonObject,
  context: ViewContext,
  withColumns: boolean,
): JsonObject {
  const { columns } = context.resource.strategy.table;
  const nowMs = context.nowMs();
  return {
    kind: "Table",
    apiVersion: context.metaVersion,
    metadata,
    columnDefinitions: withColumns ? columns.map(columnDefinition) : null,
    rows: objects.map((object) => ({
      cells: columns.map((column): JsonValue => column.cell(object, nowMs) ?? null),
      ...rowConditions(object, context.resource),
      object: rowObject(object, context),
    })),
  };
}

function rowObject(object: JsonObject, context: ViewContext): JsonObject | null {
  const { include } = context;
  if (include === "Object") return object;
  // Clients detect the end of a streaming list by this annotation, so it is always included.
  const isEnd = objectAt(metadataOf(object), "annotations")["k8s.io/initial-events-end"] === "true";
  if (include !== "Metadata" && !isEnd) return null;
  return partialOf(object, context);
}

function columnDefinition(column: Column): JsonObject {
  return {
    name: column.name,
    type: column.type,
    format: column.format ?? "",
    description: column.description ?? "",
    priority: column.priority ?? 0,
  };
}
