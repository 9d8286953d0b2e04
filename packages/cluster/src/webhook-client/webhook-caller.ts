import type { Agent } from "node:https";
import type { Clock } from "@kubewright/core/clock";
import { type JsonObject, stringifyJson } from "@kubewright/core/json";
import { CallFailure, statusFailure } from "./call-failure.js";
import { agentFor, postOverHttps } from "./https-call.js";
import type { WebhookRequest, WebhookTransport } from "./webhook-transport.js";

/** The clientConfig of a webhook. */
export interface WebhookTarget {
  readonly url?: string;
  readonly service?: {
    readonly namespace?: string;
    readonly name?: string;
    readonly path?: string;
    readonly port?: number;
  };
  /** PEM certificates in base64. @default the certificates of the system */
  readonly caBundle?: string;
}

/** Where the pods of a Service listen. Throws an error with kube-apiserver's message if there is no such place. */
export type ServiceResolver = (
  namespace: string,
  name: string,
  port: number,
) => { readonly host: string; readonly port: number };

/** The dependencies of a {@link WebhookCaller}. */
export interface WebhookCallerOptions {
  readonly clock: Clock;
  readonly resolve: ServiceResolver;
  /** Calls webhooks in process. @default all webhooks are called over HTTPS */
  readonly transport?: WebhookTransport;
}

/** One call: how long it may take, and whether the webhook learns that from the query of its URL. */
export interface CallOptions {
  readonly timeoutMs: number;
  readonly sendsTimeout: boolean;
}

/** Calls webhooks, and keeps their connections open. */
export class WebhookCaller {
  readonly #options: WebhookCallerOptions;
  readonly #places = new WeakMap<WebhookTarget, Place>();
  /** By CA bundle and server name. */
  readonly #agents = new Map<string, Agent>();

  constructor(options: WebhookCallerOptions) {
    this.#options = options;
  }

  /**
   * Posts a review to a webhook, which then owns it, and resolves with the body of its response: a JSON value that the caller owns.
   *
   * Rejects with a {@link CallFailure} if the webhook cannot be reached, does not respond in time, or responds with an error.
   */
  call(target: WebhookTarget, review: JsonObject, { timeoutMs, sendsTimeout }: CallOptions): Promise<unknown> {
    const { clock, transport } = this.#options;
    const place = this.#placeOf(target);
    const url = (): string => `${place.fullUrl}${sendsTimeout ? `?timeout=${Math.ceil(timeoutMs / 1_000)}s` : ""}`;
    return new Promise((resolve, reject) => {
      const aborter = new LazyAborter();
      const timer = clock.startTimer(timeoutMs, () => {
        aborter.abort();
        reject(new CallFailure(`Post ${JSON.stringify(url())}: context deadline exceeded`));
      });
      const fail = (error: unknown): void => {
        timer.cancel();
        reject(error);
      };
      const succeed = (body: unknown): void => {
        timer.cancel();
        resolve(body);
      };
      const inProcess = transport?.(new InProcessRequest(place, review, { timeoutMs, aborter }));
      if (inProcess === undefined) this.#overHttps(target, url(), review, aborter.signal).then(succeed, fail);
      else
        inProcess.then(
          ({ status, body }) => (isSuccess(status) ? succeed(body) : fail(statusFailure(status, shownBody(body)))),
          (error: unknown) =>
            fail(new CallFailure(error instanceof Error ? error.message : String(error), { cause: error })),
        );
    });
  }

  /** Closes idle connections. */
  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }

  async #overHttps(target: WebhookTarget, url: string, review: JsonObject, signal: AbortSignal): Promise<unknown> {
    const { service, caBundle = "" } = target;
    const body = stringifyJson(review);
    if (!service) return postOverHttps({ url, body, agent: this.#agent(caBundle, ""), signal });
    const { namespace = "", name = "", port = 443 } = service;
    let address: ReturnType<ServiceResolver>;
    try {
      address = this.#options.resolve(namespace, name, port);
    } catch (error) {
      throw new CallFailure(`Post ${JSON.stringify(url)}: ${error instanceof Error ? error.message : String(error)}`);
    }
    return postOverHttps({ url, address, body, agent: this.#agent(caBundle, `${name}.${namespace}.svc`), signal });
  }

  #placeOf(target: WebhookTarget): Place {
    const place = this.#places.get(target) ?? placeOf(target);
    this.#places.set(target, place);
    return place;
  }

  #agent(caBundle: string, serverName: string): Agent {
    const key = `${serverName} ${caBundle}`;
    const known = this.#agents.get(key);
    if (known) return known;
    const certificates = Buffer.from(caBundle, "base64").toString("utf8");
    const agent = agentFor(certificates, serverName === "" ? undefined : serverName);
    this.#agents.set(key, agent);
    return agent;
  }
}

/** Where a target is, as a {@link WebhookRequest} shows it. */
interface Place extends Pick<WebhookRequest, "service" | "url" | "path"> {
  /** Without the query. */
  readonly fullUrl: string;
}

/** An AbortController that is created when its signal is read: most webhooks do not. */
class LazyAborter {
  #controller: AbortController | undefined;
  #isAborted = false;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isAborted) this.#controller.abort();
    return this.#controller.signal;
  }

  abort(): void {
    this.#isAborted = true;
    this.#controller?.abort();
  }
}

class InProcessRequest implements WebhookRequest {
  readonly service?: NonNullable<WebhookRequest["service"]>;
  readonly url?: string;
  readonly path: string;
  readonly review: JsonObject;
  readonly timeoutMs: number;
  readonly #aborter: LazyAborter;

  constructor(
    { service, url, path }: Place,
    review: JsonObject,
    { timeoutMs, aborter }: { readonly timeoutMs: number; readonly aborter: LazyAborter },
  ) {
    if (service) this.service = service;
    if (url !== undefined) this.url = url;
    this.path = path;
    this.review = review;
    this.timeoutMs = timeoutMs;
    this.#aborter = aborter;
  }

  get signal(): AbortSignal {
    return this.#aborter.signal;
  }
}

function placeOf({ url, service }: WebhookTarget): Place {
  if (service) {
    const { namespace = "", name = "", port = 443 } = service;
    const path = pathOf(service.path ?? "");
    return { service: { namespace, name, port }, path, fullUrl: `https://${name}.${namespace}.svc:${port}${path}` };
  }
  const { host, pathname } = new URL(url ?? "");
  return { url: url ?? "", path: pathname, fullUrl: `https://${host}${pathname}` };
}

function pathOf(path: string): string {
  return path.startsWith("/") ? path : `/${path}`;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 206;
}

function shownBody(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}
