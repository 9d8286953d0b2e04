import type { User } from "../access/index.js";
import type { RequestStage } from "./request-stage.js";

/** The request that an {@link Audit} observes. */
export interface AuditedRequest {
  readonly method: string;
  /** Without query. */
  readonly path: string;
  readonly user: User;
}

/** Observes requests. It is called synchronously in each stage, so it must be quick and must not throw. */
export interface Audit {
  /** Called at each stage of a request, in order. Must not throw. */
  observe(stage: RequestStage, request: AuditedRequest): void;
  /**
   * Called for each annotation of the audit event, with kube-apiserver's keys and values: of policies and webhooks, of the patches of mutating
   * webhooks, and of failed calls that were ignored. A key comes once. Must not throw. @default annotations are ignored
   */
  annotate?(key: string, value: string, request: AuditedRequest): void;
}
