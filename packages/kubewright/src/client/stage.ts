/** The seven stages that a datum passes, in order. */
export type Stage = "watch" | "cache" | "route" | "queue" | "reconcile" | "client" | "status";

/** What passed a stage. */
export interface StageDetail {
  /** The object's kind, as `group/version/Kind`. */
  readonly kind: string;
  /** `namespace/name`, or `name`; "" where it concerns a whole collection. */
  readonly key: string;
  /** The event, change, verb or outcome. */
  readonly what: string;
  /** The run that it belongs to, in stages 5 to 7. */
  readonly reconcileId?: string;
  /** The controller that runs, in stage 5. */
  readonly controller?: string;
  /** Why it runs, in stage 5. */
  readonly causes?: readonly StageCause[];
  /** The kind that a run read from the server although nothing triggers a run when it changes, in stage 5 with `what` "stale read". */
  readonly read?: string;
}

/** The cause of a run: the members of `Cause` that are present. */
export interface StageCause {
  readonly source: string;
  readonly change?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly changedPaths?: readonly string[];
}

/** Called with each datum as it passes a stage. For the console and for tests. An operator logs the first failure of it. */
export type StageListener = (stage: Stage, detail: StageDetail) => void;
