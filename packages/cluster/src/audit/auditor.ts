import type { AuditEvent } from "./audit-event.js";
import { type AuditPolicy, auditSettings } from "./audit-policy.js";
import { AuditTrail, type TrailedRequest, type TrailTarget } from "./audit-trail.js";

/** Receives audit events. It is called synchronously, so it must be quick. */
export type AuditListener = (event: AuditEvent) => void;

/** Records everything, once for each request, and watches also when they start. */
const recordAll: AuditPolicy = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  rules: [{ level: "RequestResponse" }],
  omitStages: ["RequestReceived"],
};

/** Dependencies of an {@link Auditor}. */
export interface AuditorOptions extends Pick<TrailTarget, "newId" | "now"> {
  /** @default every request with its bodies, without the stage RequestReceived */
  readonly policy?: AuditPolicy;
}

/** Sends audit events of requests to its listeners. Without a listener a request costs one comparison. */
export class Auditor {
  readonly #policy: AuditPolicy;
  readonly #target: TrailTarget;
  readonly #listeners = new Set<AuditListener>();

  constructor({ policy = recordAll, newId, now }: AuditorOptions) {
    this.#policy = policy;
    this.#target = {
      newId,
      now,
      emit: (event) => {
        for (const listener of this.#listeners) listener(event);
      },
    };
  }

  /** Calls a listener with every event until the returned function is called. */
  listen(listener: AuditListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Whether anything listens. */
  get isActive(): boolean {
    return this.#listeners.size > 0;
  }

  /** The trail of a request; undefined if the policy records nothing of it. */
  begin(request: TrailedRequest): AuditTrail | undefined {
    const settings = auditSettings(this.#policy, request.user, request.attributes);
    return settings.level === "None" ? undefined : new AuditTrail(request, settings, this.#target);
  }
}
