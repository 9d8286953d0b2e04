/** The conditions that `kstatus` adds, with their reasons. */
export const kstatusReasons = {
  /** For runs that do not set it: `Reconciled` when it returned, `Requeued` when it is requeued, `ReconcileFailed` when it threw. */
  Ready: ["Reconciled", "Requeued", "ReconcileFailed"],
  /** Present only while it is true: the object is requeued and not ready, or a failed run is retried. */
  Reconciling: ["Requeued", "Retrying"],
  /** Present only while it is true: the run failed with an error that is not retried. */
  Stalled: ["TerminalError"],
} as const;

/** The type of {@link kstatusReasons}. */
export type KstatusReasons = typeof kstatusReasons;

/** Declared conditions, and those of kstatus. */
export type WithKstatus<Declared> = {
  readonly [Type in keyof Declared | keyof KstatusReasons]: readonly (
    | ReasonIn<Declared, Type>
    | ReasonIn<KstatusReasons, Type>
  )[];
};

type ReasonIn<Conditions, Type extends PropertyKey> = Type extends keyof Conditions
  ? Conditions[Type] extends readonly (infer Reason extends string)[]
    ? Reason
    : never
  : never;

/** The part of a version that declares conditions. */
interface DeclaringVersion {
  readonly kstatus?: boolean;
  readonly conditions?: Readonly<Record<string, readonly string[]>>;
}

/** The version with the conditions that `kstatus` adds. */
export function withKstatus<V extends DeclaringVersion>(version: V): V {
  if (version.kstatus !== true) return version;
  const { conditions = {} } = version;
  const ready = [...new Set([...(conditions["Ready"] ?? []), ...kstatusReasons.Ready])];
  return { ...version, conditions: { ...conditions, ...kstatusReasons, Ready: ready } };
}
