import { isOperatorError } from "@kubewright/core/errors";
import type { Logger } from "@kubewright/core/log";
import { ApiFailure, type Registry, resourceNotFound } from "../registry/index.js";
import type { ApiAnswer, ApiRequest } from "./api-request.js";
import { parseResourcePath } from "./request-path.js";
import { runVerb } from "./resource-verbs.js";

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

  constructor({ registry, logger }: HandlerOptions) {
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
    // A group version that nothing is served in is no part of the API: no Status, as on a real server.
    if (!path || !this.#registry.hasVersion(path.group, path.version)) return pageNotFound;
    const resource = this.#registry.find(path.group, path.version, path.plural);
    if (!resource || (path.namespace !== "" && !resource.namespaced)) throw resourceNotFound();
    const warnings: string[] = [];
    const warn = (text: string): void => {
      if (!warnings.includes(text)) warnings.push(text);
    };
    const result = runVerb(this.#registry, resource, path, request, warn);
    if (result.kind === "watch") return { kind: "watch", events: result.stream, warnings };
    return { kind: "whole", status: result.status, body: result.object, warnings };
  }

  #failed(request: ApiRequest, error: unknown): ApiAnswer {
    const failure = asFailure(error);
    if (failure.status.code >= 500)
      this.#logger.error({ err: error, method: request.method, path: request.path }, "Request failed");
    return { kind: "whole", status: failure.status.code, body: failure.status };
  }
}

/** What a client is told of an error: refusals as they are, anything else as an internal error. */
export function asFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (isOperatorError(error) && error.code === "API_BAD_REQUEST") return new ApiFailure(400, "BadRequest", message);
  return new ApiFailure(500, "InternalError", `Internal error occurred: ${message}`, { causes: [{ message }] });
}
