import { type Clock, systemClock } from "@kubewright/core/clock";
import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { callSafely, type Logger, safeLogger, silentLogger } from "@kubewright/core/log";
import { untilAborted } from "../client/index.js";
import { type AnyKind, isResource } from "../definition/index.js";
import type { AdmissionReads } from "./admission-reads.js";
import { readAdmissionReview } from "./admission-request.js";
import { responseReview } from "./admission-response.js";
import { type ConvertedResource, reviewConversion } from "./conversion-review.js";
import { failure } from "./deny.js";
import { HandlerDeadline } from "./handler-deadline.js";
import { runAdmission } from "./run-admission.js";
import { type AdmissionEndpoint, requireOwnPaths, type Webhook } from "./webhook.js";

/** What {@link createWebhookHandler} handles. */
export interface WebhookHandlerOptions {
  /** Defaulters and validators. @default none */
  readonly webhooks?: readonly Webhook[];
  /** Resources with conversion functions are converted at `/convert`. @default none */
  readonly resources?: readonly AnyKind[];
  /** Where handlers read. @default reads wait until `connect` is called */
  readonly reads?: AdmissionReads;
  /** @default nothing is logged */
  readonly logger?: Logger;
  /** @default the machine's time */
  readonly clock?: Clock;
  /** A handler of this path threw what is no ApiError. */
  readonly onFailure?: (path: string, error: unknown) => void;
}

/** How one review is handled. */
export interface HandleOptions {
  /** How long the handler may take. @default the timeout of the webhook */
  readonly timeoutMs?: number;
  /** Aborts the handler, for instance when the client disconnects. It is read when the handler's own signal is. */
  readonly signal?: AbortSignal;
}

/** Handles reviews without a socket: the AdmissionReviews of webhooks, each by its path, and ConversionReviews at `/convert`. */
export interface WebhookHandler {
  /** `/convert` where a resource has conversion functions, and the paths of the webhooks. */
  readonly paths: readonly string[];
  /**
   * The response review. Never rejects: an invalid review, a handler that throws and a timeout are responses. Undefined for an unknown path, and for
   * what is no ConversionReview at `/convert`.
   */
  handle(path: string, review: JsonValue, options?: HandleOptions): Promise<JsonObject | undefined>;
  /** Gives the handlers their reads. Those that wait for them continue. */
  connect(reads: AdmissionReads): void;
}

/** The path of the conversion webhook. */
export const conversionPath = "/convert";

/**
 * Handles the reviews that an API server sends, without a server: for tests, for processes with a server of their own, and for `serveWebhooks`.
 *
 * Throws CONFIG_INVALID when two webhooks have the same path.
 *
 * @example
 * const handler = createWebhookHandler({ webhooks: [admission] });
 * const response = await handler.handle("/validate-web-example-com-v1-website", review);
 */
export function createWebhookHandler(options: WebhookHandlerOptions): WebhookHandler {
  return new ReviewHandler(options);
}

interface AdmissionRoute {
  readonly webhook: Webhook;
  readonly endpoint: AdmissionEndpoint;
}

class ReviewHandler implements WebhookHandler {
  readonly #routes: ReadonlyMap<string, AdmissionRoute>;
  readonly #converted: readonly ConvertedResource[];
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #onFailure: WebhookHandlerOptions["onFailure"];
  readonly #reads: LaterReads;

  constructor(options: WebhookHandlerOptions) {
    const { webhooks = [], resources = [], clock = systemClock, logger = silentLogger } = options;
    this.#routes = routesOf(webhooks);
    this.#converted = resources.filter(isResource).filter(({ definition }) => definition.conversions !== undefined);
    this.#clock = clock;
    this.#log = safeLogger(logger);
    this.#onFailure = options.onFailure;
    this.#reads = new LaterReads(options.reads);
  }

  get paths(): readonly string[] {
    return [...(this.#converted.length > 0 ? [conversionPath] : []), ...this.#routes.keys()];
  }

  connect(reads: AdmissionReads): void {
    this.#reads.connect(reads);
  }

  async handle(path: string, review: JsonValue, options: HandleOptions = {}): Promise<JsonObject | undefined> {
    if (path === conversionPath && this.#converted.length > 0) return reviewConversion(review, this.#converted);
    const route = this.#routes.get(path);
    return route && this.#admit(route, review, options);
  }

  async #admit({ webhook, endpoint }: AdmissionRoute, body: JsonValue, options: HandleOptions): Promise<JsonObject> {
    const received = readAdmissionReview(body);
    if (typeof received === "string") return responseReview({ denied: failure(400, "BadRequest", received) });
    const { apiVersion, request } = received;
    const { timeoutMs = webhook.settings.timeoutSeconds * 1_000 } = options;
    const deadline = new HandlerDeadline({ clock: this.#clock, timeoutMs, caller: options });
    try {
      const result = await runAdmission(webhook, endpoint, request, {
        reads: this.#reads,
        deadline,
        log: this.#log,
        clock: this.#clock,
        onFailure: (error) => callSafely(() => this.#onFailure?.(endpoint.path, error)),
      });
      return responseReview(result, { apiVersion, uid: request.uid });
    } finally {
      deadline.end();
    }
  }
}

function routesOf(webhooks: readonly Webhook[]): ReadonlyMap<string, AdmissionRoute> {
  requireOwnPaths(webhooks);
  const routes = new Map<string, AdmissionRoute>();
  for (const webhook of webhooks) {
    for (const endpoint of [webhook.mutating, webhook.validating]) {
      if (endpoint !== undefined) routes.set(endpoint.path, { webhook, endpoint });
    }
  }
  return routes;
}

/** Reads that wait until the operator's caches exist: webhooks are served before them. */
class LaterReads implements AdmissionReads {
  readonly #connected: Promise<AdmissionReads>;
  #connect: (reads: AdmissionReads) => void = () => {};
  #reads: AdmissionReads | undefined;

  constructor(reads: AdmissionReads | undefined) {
    this.#reads = reads;
    this.#connected = new Promise((resolve) => {
      this.#connect = resolve;
    });
  }

  connect(reads: AdmissionReads): void {
    this.#reads = reads;
    this.#connect(reads);
  }

  readonly get: AdmissionReads["get"] = async (kind, name, scope) =>
    (await this.#ready(scope.signal)).get(kind, name, scope);

  readonly find: AdmissionReads["find"] = async (kind, name, scope) =>
    (await this.#ready(scope.signal)).find(kind, name, scope);

  readonly list: AdmissionReads["list"] = async (kind, options, scope) =>
    (await this.#ready(scope.signal)).list(kind, options, scope);

  #ready(signal: AbortSignal): AdmissionReads | Promise<AdmissionReads> {
    return this.#reads ?? untilAborted(this.#connected, signal);
  }
}
