import type { Agent } from "node:https";
import type { Clock } from "@kubewright/core/clock";
import { cloneJson, type JsonObject, stringifyJson } from "@kubewright/core/json";
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
  /** By CA bundle and server name. */
  readonly #agents = new Map<string, Agent>();

  constructor(options: WebhookCallerOptions) {
    this.#options = options;
  }

  /**
   * Posts a review to a webhook, and resolves with the body of its response: a JSON value that the caller owns.
   *
   * Rejects with a {@link CallFailure} if the webhook cannot be reached, does not respond in time, or responds with an error.
   */
  async call(target: WebhookTarget, review: JsonObject, { timeoutMs, sendsTimeout }: CallOptions): Promise<unknown> {
    const { clock, transport } = this.#options;
    const { service } = target;
    const path = service ? pathOf(service.path ?? "") : new URL(target.url ?? "").pathname;
    const host = service
      ? `${service.name}.${service.namespace}.svc:${service.port ?? 443}`
      : new URL(target.url ?? "").host;
    const url = `https://${host}${path}${sendsTimeout ? `?timeout=${Math.ceil(timeoutMs / 1_000)}s` : ""}`;
    const aborter = new AbortController();
    let timer: ReturnType<Clock["startTimer"]> | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = clock.startTimer(timeoutMs, () => {
        aborter.abort();
        reject(new CallFailure(`Post ${JSON.stringify(url)}: context deadline exceeded`));
      });
    });
    const { signal } = aborter;
    const request: WebhookRequest = {
      ...(service
        ? {
            service: {
              namespace: service.namespace ?? "",
              name: service.name ?? "",
              port: service.port ?? 443,
            },
          }
        : { url: target.url ?? "" }),
      path,
      review,
      timeoutMs,
      signal,
    };
    try {
      const inProcess = transport?.(
        transport === undefined ? request : { ...request, review: cloneJson(review) as JsonObject },
      );
      const response = inProcess ? bodyOf(inProcess) : this.#overHttps(target, url, review, signal);
      return await Promise.race([response, timeout]);
    } finally {
      timer?.cancel();
    }
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

function pathOf(path: string): string {
  return path.startsWith("/") ? path : `/${path}`;
}

async function bodyOf(response: Promise<{ readonly status: number; readonly body: unknown }>): Promise<unknown> {
  let given: Awaited<typeof response>;
  try {
    given = await response;
  } catch (error) {
    throw new CallFailure(error instanceof Error ? error.message : String(error), { cause: error });
  }
  const { status, body } = given;
  if (status < 200 || status > 206) throw statusFailure(status, typeof body === "string" ? body : JSON.stringify(body));
  return body;
}
