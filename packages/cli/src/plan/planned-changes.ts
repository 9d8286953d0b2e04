import type { JsonObject } from "@kubewright/core/json";
import { type FieldChange, fieldChanges } from "kubewright/client";
import { metadataOf } from "./metadata-of.js";

/** What would happen to an object. `called`: a subresource, such as an eviction. */
export type PlannedResult = "created" | "changed" | "status" | "deleted" | "called";

/** An object that the reconcilers would write. */
export interface PlannedChange {
  /** `Deployment`. */
  readonly kind: string;
  readonly apiVersion: string;
  /** "" for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
  readonly result: PlannedResult;
  /** Its Pods would be replaced. */
  readonly rollsOut: boolean;
  /** By field; the last write decides. */
  readonly changes: readonly FieldChange[];
}

interface Entry {
  readonly kind: string;
  readonly apiVersion: string;
  readonly namespace: string;
  readonly name: string;
  created: boolean;
  deleted: boolean;
  called: boolean;
  rollsOut: boolean;
  readonly changes: Map<string, FieldChange>;
}

/** Kinds whose controllers replace Pods when the template changes. */
const rollingKinds: ReadonlySet<string> = new Set(["Deployment", "StatefulSet", "DaemonSet"]);

/** What the dry runs returned, object by object. */
export class PlannedChanges {
  readonly #entries = new Map<string, Entry>();

  created(id: string, object: JsonObject): void {
    this.#entry(id, object).created = true;
  }

  deleted(id: string, object: JsonObject): void {
    const entry = this.#entry(id, object);
    // What only this plan created does not change the cluster.
    if (entry.created) this.#entries.delete(id);
    else entry.deleted = true;
  }

  /** A write of a subresource that returns no object. */
  called(id: string, object: JsonObject, subresource: string): void {
    const entry = this.#entry(id, object);
    entry.called = true;
    entry.changes.set(`/${subresource}`, { path: `/${subresource}`, change: "changed" });
  }

  /** Records in which fields an object would differ; nothing where it would not. */
  changed(id: string, before: JsonObject, after: JsonObject): void {
    const found = fieldChanges(before, after, { values: after["kind"] !== "Secret" });
    if (found.length === 0) return;
    const entry = this.#entry(id, after);
    for (const change of found) entry.changes.set(change.path, change);
    const spec = after["spec"] as { readonly updateStrategy?: { readonly type?: string } } | undefined;
    const isManual = spec?.updateStrategy?.type === "OnDelete";
    entry.rollsOut ||=
      rollingKinds.has(entry.kind) && !isManual && found.some(({ path }) => path.startsWith(".spec.template"));
  }

  /** By kind, namespace and name. */
  list(): PlannedChange[] {
    return [...this.#entries.values()]
      .map(({ created, deleted, called, changes, ...rest }) => {
        const list = [...changes.values()];
        const isStatus = list.every(({ path }) => path.startsWith(".status"));
        const result: PlannedResult = deleted
          ? "deleted"
          : created
            ? "created"
            : called
              ? "called"
              : isStatus
                ? "status"
                : "changed";
        return { ...rest, result, rollsOut: result === "changed" && rest.rollsOut, changes: created ? [] : list };
      })
      .toSorted((a, b) => compare(sortKey(a), sortKey(b)));
  }

  #entry(id: string, object: JsonObject): Entry {
    const known = this.#entries.get(id);
    if (known !== undefined) return known;
    const { namespace = "", name = "" } = metadataOf(object);
    const entry: Entry = {
      kind: String(object["kind"]),
      apiVersion: String(object["apiVersion"]),
      namespace,
      name,
      created: false,
      deleted: false,
      called: false,
      rollsOut: false,
      changes: new Map(),
    };
    this.#entries.set(id, entry);
    return entry;
  }
}

function sortKey({ kind, namespace, name }: PlannedChange): string {
  return `${kind} ${namespace}/${name}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
