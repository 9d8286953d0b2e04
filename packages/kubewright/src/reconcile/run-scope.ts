import type { Clock } from "@kubewright/core/clock";
import { formatKey, type ObjectKey } from "@kubewright/core/identity";
import type { CachedClient, InformerSet } from "../cache/index.js";
import type { Stage, Trace } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import type { Cause } from "../route/index.js";
import type { EventRecorder } from "../status/index.js";
import type { Access } from "./access.js";
import type { Controller } from "./controller.js";
import type { FightDetector } from "./fight-detector.js";
import type { RunEnvironment } from "./run-environment.js";

/** What all runs of a controller share. */
export interface RunServices {
  readonly controller: Controller;
  readonly access: Access;
  readonly client: CachedClient;
  readonly informers: InformerSet;
  readonly recorder: EventRecorder;
  readonly fights: FightDetector;
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

/** Reports that a datum passes a stage during a run. */
export function traceRun(scope: RunScope, stage: Stage, kind: AnyKind, key: ObjectKey, what: string): void {
  scope.trace?.(stage, { kind: kind.id, key: formatKey(key), what, reconcileId: scope.environment.reconcileId });
}
