// Written by tools/api-data from Kubernetes v1.36.4. Do not edit.
import { defineKind, type Kind, type ReadMeta } from "../../definition/index.js";
import type { EventSource, ObjectReference } from "../core/v1.gen.js";

/** An object of kind Event in events.k8s.io/v1. */
export interface Event {
  apiVersion: "events.k8s.io/v1";
  kind: "Event";
  metadata: ReadMeta;
  action?: string | undefined;
  deprecatedCount?: number | undefined;
  deprecatedFirstTimestamp?: string | undefined;
  deprecatedLastTimestamp?: string | undefined;
  deprecatedSource?: EventSource | undefined;
  eventTime: string;
  note?: string | undefined;
  reason?: string | undefined;
  regarding?: ObjectReference | undefined;
  related?: ObjectReference | undefined;
  reportingController?: string | undefined;
  reportingInstance?: string | undefined;
  series?: EventSeries | undefined;
  type?: string | undefined;
}
interface EventTypes { read: Event; write: { action?: string | undefined; deprecatedCount?: number | undefined; deprecatedFirstTimestamp?: string | undefined; deprecatedLastTimestamp?: string | undefined; deprecatedSource?: EventSource | undefined; eventTime: string; note?: string | undefined; reason?: string | undefined; regarding?: ObjectReference | undefined; related?: ObjectReference | undefined; reportingController?: string | undefined; reportingInstance?: string | undefined; series?: EventSeries | undefined; type?: string | undefined; }; status: never; conditions: never }
/** The kind Event in events.k8s.io/v1. */
export const Event: Kind<"events.k8s.io/v1/Event", "Namespaced", EventTypes> = /* @__PURE__ */ defineKind({ group: "events.k8s.io", version: "v1", kind: "Event", plural: "events", scope: "Namespaced" });

export interface EventSeries {
  count: number;
  lastObservedTime: string;
}
