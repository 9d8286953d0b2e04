import { deepFreeze } from "@kubewright/core/json";
import type { AnyKind } from "../definition/index.js";
import type { AnyAdmissionContext } from "./admission-context.js";
import type { ReadName, ReadScope } from "./admission-reads.js";
import type { AdmissionRequest } from "./admission-request.js";
import type { AdmissionServices } from "./admission-services.js";
import type { Denials } from "./deny.js";
import type { Webhook } from "./webhook.js";

/** What a {@link RequestContext} shows. */
export interface RequestContextOptions {
  readonly request: AdmissionRequest;
  readonly webhook: Webhook;
  readonly services: AdmissionServices;
  readonly denials: Denials;
  /** The object as the handler sees it. */
  readonly object: object | undefined;
}

/** What a handler receives. Its parts are made when they are read: most handlers use few, and this is on the path of every reviewed write. */
export class RequestContext {
  readonly request: AdmissionRequest;
  readonly object: object | undefined;
  /** What the handler warned. */
  readonly warnings: string[] = [];
  /** What the handler added to the audit event. */
  readonly auditAnnotations: Record<string, string> = {};
  readonly #options: RequestContextOptions;

  constructor(options: RequestContextOptions) {
    this.#options = options;
    this.request = options.request;
    this.object = options.object;
  }

  get operation(): AnyAdmissionContext["operation"] {
    return this.request.operation;
  }

  get old(): object | undefined {
    return deepFreeze(this.request.oldObject);
  }

  get name(): string {
    return this.request.name;
  }

  get namespace(): string {
    return this.request.namespace;
  }

  get user(): AnyAdmissionContext["user"] {
    return this.request.user;
  }

  get dryRun(): boolean {
    return this.request.dryRun;
  }

  get options(): AnyAdmissionContext["options"] {
    return this.request.options;
  }

  get deny(): AnyAdmissionContext["deny"] {
    return this.#options.denials.deny;
  }

  get warn(): AnyAdmissionContext["warn"] {
    return (message) => void this.warnings.push(message);
  }

  get audit(): AnyAdmissionContext["audit"] {
    return (key, value) => {
      this.auditAnnotations[key] = value;
    };
  }

  get get() {
    return (kind: AnyKind, name: ReadName) => this.#options.services.reads.get(kind, name, this.#scope());
  }

  get find() {
    return (kind: AnyKind, name: ReadName) => this.#options.services.reads.find(kind, name, this.#scope());
  }

  get list() {
    return (kind: AnyKind, how = {}) => this.#options.services.reads.list(kind, how, this.#scope());
  }

  get signal(): AbortSignal {
    return this.#options.services.deadline.signal;
  }

  get log(): AnyAdmissionContext["log"] {
    return this.#options.services.log;
  }

  get clock(): AnyAdmissionContext["clock"] {
    return this.#options.services.clock;
  }

  #scope(): ReadScope {
    const { webhook } = this.#options;
    return { webhook, namespace: this.namespace, signal: this.signal };
  }
}
