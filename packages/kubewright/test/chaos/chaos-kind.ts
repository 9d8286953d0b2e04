import { dynamic } from "../../src/client/index.js";

/** The kind that the operator under chaos copies into ConfigMaps. Its schema preserves unknown fields, so that hostile objects are accepted. */
export const Chaos = dynamic({
  apiVersion: "chaos.example.com/v1",
  kind: "Chaos",
  plural: "chaoses",
  scope: "Namespaced",
});

/** How many keys the operator under chaos reconciles at the same time. */
export const workers = 4;

/** What the test asks the operator's process for. */
export type ChaosCommand =
  /** Lets the wall clock jump. */
  | { readonly kind: "clock"; readonly offsetMs: number }
  /** Fails most requests with this status for a while. */
  | { readonly kind: "burst"; readonly status: 429 | 500; readonly forMs: number }
  /** Asks for a {@link ChaosReport}. */
  | { readonly kind: "report" };

/** The state of the operator's process. */
export interface ChaosReport {
  /** Whether no run is due and no event waits to be written. */
  readonly idle: boolean;
  readonly heapBytes: number;
  readonly residentBytes: number;
  readonly runs: number;
  readonly failing: readonly string[];
  /** The maximum number of concurrent runs of one object. */
  readonly mostOnKey: number;
}
