import { isOperatorError } from "@kubewright/core/errors";
import type { Logger } from "@kubewright/core/log";
import { ApiFailure, type Registry, type Resource, resourceNotFound } from "../registry/index.js";
import type { ApiAnswer, ApiRequest } from "./api-request.js";
import { Discovery } from "./discovery.js";
import { chooseView } from "./negotiation.js";
import { OpenApi } from "./openapi.js";
import { parseResourcePath, type ResourcePath } from "./request-path.js";
import { runVerb } from "./resource-verbs.js";
import { serverInfo } from "./server-info.js";
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

  constructor({ registry, logger }: HandlerOptions) {
    this.#discovery = new Discovery(registry);
    this.#openApi = new OpenApi(registry);
    this.#registry = registry;
    this.#logger = logger;
  }

  handle(request: ApiRequest): ApiAnswer {
    try {
      return this.#route(request);
    } catch (error) {
      return this.#failed(request, error);
    }
  }

  #route(request: ApiRequest): ApiAnswer {
    const path = parseResourcePath(request.path);
    const resource = path && this.#registry.find(path.group, path.version, path.plural);
    if (!path || !resource) return this.#routeOther(request, path);
    if (path.namespace !== "" && !resource.namespaced) {
      if (resource.origin === "custom") return pageNotFound;
      throw resourceNotFound();
    }
    return this.#serve(resource, path, request);
  }

  /** Everything that is no resource: discovery, schemas, health; and what is not there. */
  #routeOther(request: ApiRequest, path: ResourcePath | undefined): ApiAnswer {
    if (request.method === "GET" || request.method === "HEAD") {
      const found =
        this.#discovery.answer(request) ??
        this.#openApi.answer(request) ??
        serverInfo(request.path, request.query, this.#registry);
      if (found) return found;
    }
    // A real server knows its own groups well enough to answer with a Status; of others it knows nothing.
    const group = path?.group ?? (/^\/api\/[^/]+\/?$/.test(request.path) ? "" : undefined);
    if (group === undefined || !this.#registry.isBuiltinGroup(group)) return pageNotFound;
    throw resourceNotFound();
  }

  #serve(resource: Resource, path: ResourcePath, request: ApiRequest): ApiAnswer {
    const view = chooseView(request.headers["accept"]);
    const warnings: string[] = [];
    const warn = (text: string): void => {
      if (!warnings.includes(text)) warnings.push(text);
    };
    const result = runVerb(this.#registry, resource, path, request, warn);
    const context = { resource, view, include: includeOf(request), nowMs: () => this.#registry.clock.now() };
    if (result.kind === "watch") return { kind: "watch", events: viewWatch(result.stream, context), warnings };
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

function includeOf(request: ApiRequest): ViewContext["include"] {
  const asked = request.query["includeObject"];
  return asked === "None" || asked === "Object" ? asked : "Metadata";
}

/** What a client is told of an error: refusals as they are, anything else as an internal error. */
export function asFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (isOperatorError(error) && error.code === "API_BAD_REQUEST") return new ApiFailure(400, "BadRequest", message);
  return new ApiFailure(500, "InternalError", `Internal error occurred: ${message}`, { causes: [{ message }] });
}
