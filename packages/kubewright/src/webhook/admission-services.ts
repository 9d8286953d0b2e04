import type { Clock } from "@kubewright/core/clock";
import type { Logger } from "@kubewright/core/log";
import type { AdmissionReads } from "./admission-reads.js";
import type { HandlerDeadline } from "./handler-deadline.js";

/** What a handler of a webhook can use beside its request. */
export interface AdmissionServices {
  readonly reads: AdmissionReads;
  readonly deadline: HandlerDeadline;
  readonly log: Logger;
  readonly clock: Clock;
  /** A handler threw what is no ApiError. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}
