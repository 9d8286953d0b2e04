import type { Clock } from "@kubewright/core/clock";
import { formatKey, keyOf, type ObjectKey } from "@kubewright/core/identity";
import type { CachedClient, InformerSet } from "../cache/index.js";
import { objectMeta, type Trace } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import type { Cause } from "../route/index.js";
import type { EventRecorder } from "../status/index.js";
import type { Access } from "./access.js";
import type { Controller } from "./controller.js";
import type { FieldConflictDetector } from "./field-conflict-detector.js";
import type { RunEnvironment } from "./run-environment.js";

/** What all runs of a controller share. */
export interface RunServices {
  readonly controller: Controller;
  readonly access: Access;
  readonly client: CachedClient;
  readonly informers: InformerSet;
  readonly recorder: EventRecorder;
  readonly fieldConflicts: FieldConflictDetector;
  readonly clock: Clock;
  readonly random: () => number;
  readonly trace: Trace | undefined;
}

/** One run: which object, and until when. */
export interface RunScope extends RunServices {
  readonly object: ReadOf<AnyKind>;
  readonly causes: readonly Cause[];
  readonly environment: RunEnvironment;
}

/** Reports to the trace that the run of an object starts. */
export function traceRun({ trace, controller, object, environment }: RunScope, what: "reconcile" | "finalize"): void {
  if (trace === undefined) return;
  const key = formatKey(keyOf({ metadata: objectMeta(object) }));
  trace("reconcile", { kind: controller.kind.id, key, what, reconcileId: environment.reconcileId });
}

/** Reports to the trace that a run sends a write to the API server. */
export function traceWrite({ trace, environment }: RunScope, kind: AnyKind, key: ObjectKey, verb: string): void {
  trace?.("client", { kind: kind.id, key: formatKey(key), what: verb, reconcileId: environment.reconcileId });
}
