import { isOperatorError } from "@kubewright/core/errors";
import { goQuote } from "@kubewright/core/json";
import type { Logger } from "@kubewright/core/log";
import { ApiFailure, badRequest, isTrue, type Registry, type Resource, resourceNotFound } from "../registry/index.js";
import type { ApiAnswer, ApiRequest } from "./api-request.js";
import { componentStatuses } from "./component-statuses.js";
import { type ComputedResource, ComputedResources, readComputed, type ServedResource } from "./computed-resources.js";
import { Discovery } from "./discovery.js";
import { chooseView, type View } from "./negotiation.js";
import { OpenApi } from "./openapi.js";
import { openIdDocument } from "./openid.js";
import { answerPodLog, type LogSource } from "./pod-log.js";
import { parseResourcePath, type ResourcePath } from "./request-path.js";
import { checkTimeout } from "./request-timeout.js";
import { runVerb, type VerbResult, wrongMethod } from "./resource-verbs.js";
import { isHealthPath, serverInfo } from "./server-info.js";
import { type RoutedRequest, ServerMetrics } from "./server-metrics.js";
import { type ViewContext, viewOf, viewWatch } from "./views.js";

const pageNotFound: ApiAnswer = {
  kind: "whole",
  status: 404,
  body: "404 page not found\n",
  contentType: "text/plain; charset=utf-8",
};

/** What a handler is made of. */
export interface HandlerOptions {
  readonly registry: Registry;
  readonly logger: Logger;
}

/** Answers requests, whichever door they came through. Never throws: a failure is an answer. */
export class Handler {
  readonly #registry: Registry;
  readonly #logger: Logger;
  readonly #discovery: Discovery;
  readonly #openApi: OpenApi;
  readonly #metrics: ServerMetrics;
  #logs: LogSource | undefined;
  readonly #computed = new ComputedResources();

  constructor({ registry, logger }: HandlerOptions) {
    this.#discovery = new Discovery(registry, this.#computed);
    this.#openApi = new OpenApi(registry);
    this.#metrics = new ServerMetrics(registry);
    this.#registry = registry;
    this.#logger = logger;
    this.#computed.serve([componentStatuses]);
  }

  /** From now on logs of containers come from there; until then there are none. */
  serveLogs(source: LogSource): void {
    this.#logs = source;
  }

  /** Tells clients by which address the server is reached, until the function that it gives is called. */
  announce(address: string): () => void {
    return this.#discovery.announce(address);
  }

  /** Begins to serve resources that are worked out when they are asked for, until the function that it gives is called. */
  serve(resources: readonly ComputedResource[]): () => void {
    return this.#computed.serve(resources);
  }

  /** At once, or, with objects on disk, when a crash cannot lose anything that the response reports. */
  handle(request: ApiRequest): ApiAnswer | Promise<ApiAnswer> {
    const startedMs = this.#registry.clock.monotonic();
    const path = parseResourcePath(request.path);
    const resource = path && this.#registry.find(path.group, path.version, path.plural);
    let response: ApiAnswer;
    try {
      response = this.#route(request, path, resource);
    } catch (error) {
      response = this.#failed(request, error);
    }
    const durable = this.#registry.store.durable();
    const routed = { request, path, resource, startedMs };
    if (durable !== undefined) return this.#afterDurable(durable, routed, response);
    this.#metrics.observe(routed, response);
    return response;
  }

  async #afterDurable(durable: Promise<unknown>, routed: RoutedRequest, made: ApiAnswer): Promise<ApiAnswer> {
    const end = this.#metrics.wait(routed.request);
    let response = made;
    try {
      await durable;
    } catch (error) {
      if (made.kind === "watch") made.events.close();
      if (made.kind === "text") made.chunks.close();
      response = this.#failed(routed.request, error);
    }
    end();
    this.#metrics.observe(routed, response);
    return response;
  }

  #route(request: ApiRequest, path: ResourcePath | undefined, resource: Resource | undefined): ApiAnswer {
    // Of watches the timeout has another name, and a real server does not read this one.
    if (path?.isWatch !== true && !isTrue(request.query["watch"])) checkTimeout(request.query["timeout"]);
    if (!path || !resource) {
      const computed = path && this.#computed.find(path);
      return computed ? this.#serveComputed(computed, path, request) : this.#routeOther(request, path);
    }
    checkSegments(path);
    const isAcross = path.name === "" && (request.method === "GET" || request.method === "HEAD");
    if (resource.origin === "custom" && resource.namespaced && path.namespace === "" && !isAcross) return pageNotFound;
    if (path.isBlankNamespace === true && resource.namespaced && path.name !== "")
      throw badRequest("Namespace parameter required.");
    if (path.namespace !== "" && !resource.namespaced) {
      if (resource.origin === "custom") return pageNotFound;
      throw resourceNotFound();
    }
    if (resource.bucket === "pods" && path.subresource === "log" && request.method === "GET" && !path.isWatch)
      return answerPodLog(this.#registry, this.#logs, path, request);
    return path.isWatch ? this.#serveOldWatch(resource, path, request) : this.#serve(resource, path, request);
  }

  /** `/api/v1/watch/...`: the same as a watch of the collection, of one object by its name. */
  #serveOldWatch(resource: Resource, path: ResourcePath, request: ApiRequest): ApiAnswer {
    if (path.subresource !== "") throw resourceNotFound();
    if (request.method !== "GET") throw wrongMethod();
    const { fieldSelector = "" } = request.query;
    const one = path.name === "" ? [] : [`metadata.name=${path.name}`];
    const selector = [...one, ...(fieldSelector === "" ? [] : [fieldSelector])].join(",");
    const query = { ...request.query, watch: "true", ...(selector === "" ? {} : { fieldSelector: selector }) };
    return this.#serve(resource, { ...path, name: "" }, { ...request, query });
  }

  /** Everything that is no resource: discovery, schemas, health; and what is not there. */
  #routeOther(request: ApiRequest, path: ResourcePath | undefined): ApiAnswer {
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (isRead && request.path === "/metrics") return this.#metrics.page();
    const found = isRead ? this.#readDocument(request) : undefined;
    const info =
      found ??
      (isRead || isHealthPath(request.path) ? serverInfo(request.path, request.query, this.#registry) : undefined);
    if (info) return info;
    if (/^\/(api|apis\/[^/]+)\/[^/]+\/watch\/?$/.test(request.path)) return noKindToWatch(request.path);
    // A real server knows its own groups well enough to answer with a Status; of others it knows nothing.
    const group = path?.group ?? (/^\/api\/[^/]+(\/|$)|^\/version\//.test(request.path) ? "" : undefined);
    if (group === undefined || !this.#registry.isBuiltinGroup(group)) return pageNotFound;
    throw resourceNotFound();
  }

  #readDocument(request: ApiRequest): ApiAnswer | undefined {
    return (
      this.#discovery.answer(request) ??
      this.#openApi.answer(request) ??
      openIdDocument(request.path, this.#registry.signer, this.#discovery.address)
    );
  }

  #serveComputed(resource: ServedResource, path: ResourcePath, request: ApiRequest): ApiAnswer {
    if (path.namespace !== "" && !resource.namespaced) throw resourceNotFound();
    const { view, metaVersion } = chooseView(request.headers["accept"], resource.origin);
    const result = readComputed(this.#registry, resource, path, request);
    const nowMs = () => this.#registry.clock.now();
    const body = viewOf(result, { resource, view, metaVersion, include: includeOf(request, view), nowMs });
    const { warning } = resource.computed;
    const warnings = warning === undefined ? [] : [warning];
    return {
      kind: "whole",
      status: result.status,
      body,
      warnings,
      bareItems: view === "object" && result.kind === "list",
    };
  }

  #serve(resource: Resource, path: ResourcePath, request: ApiRequest): ApiAnswer {
    const { view, metaVersion } = chooseView(request.headers["accept"], resource.origin);
    const warnings: string[] = [];
    const warn = (text: string): void => {
      if (!warnings.includes(text)) warnings.push(text);
    };
    let result: VerbResult;
    try {
      result = runVerb(this.#registry, resource, path, request, warn);
    } catch (error) {
      // What was wrong with the body is told with the refusal too.
      return { ...this.#failed(request, error), warnings };
    }
    if (view === "object" && (result.kind === "object" || result.kind === "status"))
      return { kind: "whole", status: result.status, body: result.object, warnings };
    const nowMs = (): number => this.#registry.clock.now();
    if (result.kind === "watch") {
      const { stream } = result;
      try {
        const context = { resource, view, metaVersion, include: includeOf(request, view), nowMs };
        return { kind: "watch", events: viewWatch(stream, context), warnings };
      } catch (error) {
        stream.close();
        throw error;
      }
    }
    const context = { resource, view, metaVersion, include: includeOf(request, view), nowMs };
    const bareItems = view === "object" && result.kind === "list" && resource.origin === "builtin";
    return {
      kind: "whole",
      status: result.status,
      body: viewOf(result, context),
      warnings,
      ...(bareItems ? { bareItems } : {}),
    };
  }

  #failed(request: ApiRequest, error: unknown): ApiAnswer {
    const failure = asFailure(error);
    if (failure.status.code >= 500)
      this.#logger.error({ err: error, method: request.method, path: request.path }, "Request failed");
    const seconds = failure.status.details?.retryAfterSeconds;
    return {
      kind: "whole",
      status: failure.status.code,
      body: failure.status,
      ...(seconds === undefined ? {} : { headers: { "retry-after": String(seconds) } }),
    };
  }
}

/** Names in a path may not be such as lead to other folders. */
function checkSegments({ name, namespace, plural }: ResourcePath): void {
  if (isDots(namespace)) throw new ApiFailure(500, "", `invalid key: ${goQuote(`/${plural}/${namespace}`)}`);
  const why = isDots(name) ? `may not be '${name}'` : name.includes("%") ? "may not contain '%'" : "";
  if (why !== "") throw badRequest(`Name parameter invalid: ${goQuote(name)}: ${why}`);
}

function isDots(text: string): boolean {
  return text === "." || text === "..";
}

function noKindToWatch(path: string): ApiAnswer {
  return {
    kind: "whole",
    status: 500,
    body: `Internal Server Error: ${JSON.stringify(path)}: failed to create RequestInfo: unable to determine kind and namespace from url, ${path}\n`,
    contentType: "text/plain; charset=utf-8",
    isEarly: true,
  };
}

function includeOf(request: ApiRequest, view: View): ViewContext["include"] {
  const { includeObject: asked = "" } = request.query;
  if (view !== "Table" || asked === "") return "Metadata";
  if (asked === "None" || asked === "Object" || asked === "Metadata") return asked;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${goQuote(asked)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

/** What a client is told of an error: refusals as they are, anything else as an internal error. */
export function asFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (isOperatorError(error) && error.code === "API_BAD_REQUEST") return new ApiFailure(400, "BadRequest", message);
  return new ApiFailure(500, "InternalError", `Internal error occurred: ${message}`, { causes: [{ message }] });
}
