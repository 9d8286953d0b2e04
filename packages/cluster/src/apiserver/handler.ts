import { isOperatorError } from "@kubewright/core/errors";
import { goQuote } from "@kubewright/core/json";
import type { Logger } from "@kubewright/core/log";
import type { AccessControl } from "../access/index.js";
import { type Audit, AuditAnnotations, type Auditor } from "../audit/index.js";
import {
  ApiFailure,
  andThen,
  badRequest,
  decodeNew,
  type Eventually,
  isTrue,
  type Registry,
  type Resource,
  resourceNotFound,
  timestamp,
} from "../registry/index.js";
import { completeReview, isReview } from "./access-reviews.js";
import { admitAction } from "./admit-action.js";
import type { ApiRequest, ApiResponse } from "./api-request.js";
import { componentStatuses } from "./component-statuses.js";
import { type ComputedResource, ComputedResources, readComputed, type ServedResource } from "./computed-resources.js";
import type { Forwarder } from "./connect/index.js";
import { Discovery } from "./discovery.js";
import { chooseView, type View } from "./negotiation.js";
import { OpenApi } from "./openapi.js";
import { openIdDocument } from "./openid.js";
import { type LogSource, servePodLog } from "./pod-log.js";
import { accessDenied, attributesOf, trailedRequest } from "./request-attributes.js";
import { type ResourcePath, ResourcePathParser } from "./request-path.js";
import { checkTimeout } from "./request-timeout.js";
import { runVerb } from "./resource-verbs.js";
import { isHealthPath, serverInfo } from "./server-info.js";
import { type RoutedRequest, ServerMetrics } from "./server-metrics.js";
import { type VerbCall, type VerbResult, writeRequest, wrongMethod } from "./verb-call.js";
import { type ViewContext, viewOf, viewWatch } from "./views.js";

const pageNotFound: ApiResponse = {
  kind: "whole",
  status: 404,
  body: "404 page not found\n",
  contentType: "text/plain; charset=utf-8",
};

/** Subresources whose requests may last as long as the client wants. */
const longRunning: ReadonlySet<string> = new Set(["attach", "exec", "log", "portforward", "proxy"]);

/** Dependencies of a {@link Handler}. */
export interface HandlerOptions {
  readonly registry: Registry;
  readonly access: AccessControl;
  readonly logger: Logger;
  readonly forwarder: Forwarder;
  /** Observes every stage of every request. @default no audit */
  readonly audit?: Audit;
  /** Records audit events. @default none are recorded */
  readonly auditor?: Auditor;
}

/** Handles requests from HTTPS and from the in-process transport. Never throws: a failure is a response. */
export class Handler {
  readonly #options: HandlerOptions;
  readonly #registry: Registry;
  readonly #access: AccessControl;
  readonly #logger: Logger;
  readonly #discovery: Discovery;
  readonly #openApi: OpenApi;
  readonly #metrics: ServerMetrics;
  #logs: LogSource | undefined;
  readonly #computed = new ComputedResources();
  readonly #paths = new ResourcePathParser();

  constructor(options: HandlerOptions) {
    const { registry, access, logger } = options;
    this.#options = options;
    this.#discovery = new Discovery(registry, this.#computed);
    this.#openApi = new OpenApi(registry);
    this.#metrics = new ServerMetrics(registry);
    this.#registry = registry;
    this.#access = access;
    this.#logger = logger;
    this.#computed.serve([componentStatuses]);
  }

  /** To kubelets and workloads. */
  get forwarder(): Forwarder {
    return this.#options.forwarder;
  }

  /** Sets the source of the container logs of simulated nodes. Without it they have none. */
  serveLogs(source: LogSource): void {
    this.#logs = source;
  }

  /** Publishes an address in discovery until the returned function is called. */
  announce(address: string): () => void {
    return this.#discovery.announce(address);
  }

  /** Serves computed resources until the returned function is called. */
  serve(resources: readonly ComputedResource[]): () => void {
    return this.#computed.serve(resources);
  }

  /** Responds synchronously, unless admission is asynchronous or the store has a journal. Never throws: a failure is a response. */
  handle(received: ApiRequest): Eventually<ApiResponse> {
    const startedMs = this.#registry.clock.monotonic();
    const path = this.#paths.parse(received.path);
    const request = this.#audited(received, path);
    const resource = path && this.#registry.find(path.group, path.version, path.plural);
    const routed = { request, path, resource, startedMs };
    request.observe?.("apiserver: read");
    request.observe?.("access: authenticate");
    let response: Eventually<ApiResponse>;
    try {
      response = this.#route(routed);
    } catch (error) {
      response = this.#failed(request, error);
    }
    if (response instanceof Promise || this.#registry.store.isPersistent) return this.#later(routed, response);
    this.#finish(routed, response);
    return response;
  }

  #finish(routed: RoutedRequest, response: ApiResponse): void {
    this.#metrics.observe(routed, response);
    const { trail } = routed.request;
    if (trail === undefined || response.kind === "watch") return;
    const isWhole = response.kind === "whole";
    trail.complete({ code: codeOf(response), body: isWhole ? response.body : undefined });
  }

  /** Waits for the response, and until the state that it shows is on disk. */
  async #later(routed: RoutedRequest, pending: Eventually<ApiResponse>): Promise<ApiResponse> {
    const end = this.#metrics.wait(routed.request);
    let response: ApiResponse | undefined;
    try {
      response = pending instanceof Promise ? await pending : pending;
      await this.#registry.store.durable();
    } catch (error) {
      if (response?.kind === "watch") response.events.close();
      if (response?.kind === "text") response.chunks.close();
      response = this.#failed(routed.request, error);
    }
    end();
    this.#finish(routed, response);
    return response;
  }

  /** The request with what observes it. */
  #audited(request: ApiRequest, resourcePath: ResourcePath | undefined): ApiRequest {
    const { audit, auditor } = this.#options;
    const trail = auditor?.isActive === true ? auditor.begin(trailedRequest(request, resourcePath)) : undefined;
    if (audit === undefined && trail === undefined) return request;
    const { method, path, user } = request;
    const audited = { method, path, user };
    return {
      ...request,
      ...(trail && { trail }),
      ...(audit && { observe: (stage) => audit.observe(stage, audited) }),
      annotate: new AuditAnnotations((key, value) => {
        audit?.annotate?.(key, value, audited);
        trail?.annotate(key, value);
      }).annotate,
    };
  }

  #route({ request: received, path, resource }: RoutedRequest): Eventually<ApiResponse> {
    // Long-running requests have no timeout: watches use timeoutSeconds.
    const isLong =
      path?.isWatch === true || isTrue(received.query["watch"]) || longRunning.has(path?.subresource ?? "");
    if (!isLong) checkTimeout(received.query["timeout"]);
    const request = this.#authorize(received, path);
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
      return servePodLog({ registry: this.#registry, source: this.#logs, forwarder: this.forwarder }, path, request);
    return path.isWatch ? this.#serveOldWatch(resource, path, request) : this.#serve(resource, path, request);
  }

  /** The request with its effective user, after impersonation. Throws a 403 if the user is not authorized. */
  #authorize(request: ApiRequest, path: ResourcePath | undefined): ApiRequest {
    if (request.isTrusted === true) {
      request.observe?.("access: authorize");
      return request;
    }
    const attributes = attributesOf(request, path);
    const sender = this.#access.impersonate(request, attributes);
    if (sender.kind === "malformed") throw badRequest(sender.why);
    if (sender.kind === "forbidden") throw accessDenied(sender.user, sender.attributes, sender.reason);
    const { allowed, reason } = this.#access.authorizer.authorize(sender.user, attributes);
    if (request.trail) {
      if (sender.user !== request.user) request.trail.impersonated(sender.user);
      request.trail.annotate("authorization.k8s.io/decision", allowed ? "allow" : "forbid");
      request.trail.annotate("authorization.k8s.io/reason", reason);
    }
    if (!allowed) throw accessDenied(sender.user, attributes, reason);
    request.observe?.("access: authorize");
    return sender.user === request.user ? request : { ...request, user: sender.user };
  }

  /** `/api/v1/watch/...` (deprecated): a watch of the collection, filtered by name if the path names an object. */
  #serveOldWatch(resource: Resource, path: ResourcePath, request: ApiRequest): Eventually<ApiResponse> {
    if (path.subresource !== "") throw resourceNotFound();
    if (request.method !== "GET") throw wrongMethod();
    const { fieldSelector = "" } = request.query;
    const one = path.name === "" ? [] : [`metadata.name=${path.name}`];
    const selector = [...one, ...(fieldSelector === "" ? [] : [fieldSelector])].join(",");
    const query = { ...request.query, watch: "true", ...(selector === "" ? {} : { fieldSelector: selector }) };
    return this.#serve(resource, { ...path, name: "" }, { ...request, query });
  }

  /** Non-resource paths: discovery, OpenAPI, health, metrics; 404 for the rest. */
  #routeOther(request: ApiRequest, path: ResourcePath | undefined): ApiResponse {
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (isRead && request.path === "/metrics") return this.#metrics.page();
    const found = isRead ? this.#readDocument(request) : undefined;
    const info =
      found ??
      (isRead || isHealthPath(request.path) ? serverInfo(request.path, request.query, this.#registry) : undefined);
    if (info) return info;
    if (/^\/(api|apis\/[^/]+)\/[^/]+\/watch\/?$/.test(request.path)) return noKindToWatch(request.path);
    // kube-apiserver responds with a Status for built-in groups, and with plain text for other paths.
    const group = path?.group ?? (/^\/api\/[^/]+(\/|$)|^\/version\//.test(request.path) ? "" : undefined);
    if (group === undefined || !this.#registry.isBuiltinGroup(group)) return pageNotFound;
    throw resourceNotFound();
  }

  #readDocument(request: ApiRequest): ApiResponse | undefined {
    return (
      this.#discovery.respond(request) ??
      this.#openApi.respond(request) ??
      openIdDocument(request.path, this.#registry.signer, this.#discovery.address)
    );
  }

  #serveComputed(resource: ServedResource, path: ResourcePath, request: ApiRequest): ApiResponse {
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

  #serve(resource: Resource, path: ResourcePath, request: ApiRequest): Eventually<ApiResponse> {
    const shown = chooseView(request.headers["accept"], resource.origin);
    const warnings: string[] = [];
    const warn = (text: string): void => {
      if (!warnings.includes(text)) warnings.push(text);
    };
    const call: VerbCall = { registry: this.#registry, resource, path, request, warn };
    // A rejection carries the warnings about the body too.
    const failed = (error: unknown): ApiResponse => ({ ...this.#failed(request, error), warnings });
    try {
      const result = isReview(resource) ? this.#review(call) : runVerb(call);
      if (!(result instanceof Promise)) return this.#respond(call, shown, result, warnings);
      return result.then((later) => this.#respond(call, shown, later, warnings)).catch(failed);
    } catch (error) {
      return failed(error);
    }
  }

  #respond(
    { resource, request }: VerbCall,
    { view, metaVersion }: ReturnType<typeof chooseView>,
    result: VerbResult,
    warnings: readonly string[],
  ): ApiResponse {
    if (view === "object" && (result.kind === "object" || result.kind === "status"))
      return { kind: "whole", status: result.status, body: result.object, warnings };
    if (result.kind === "connect") return { ...result, warnings };
    const nowMs = (): number => this.#registry.clock.now();
    if (result.kind === "watch") {
      const { stream } = result;
      try {
        const context = { resource, view, metaVersion, include: includeOf(request, view), nowMs };
        const { trail } = request;
        if (trail) {
          trail.started();
          stream.onClose(() => trail.complete({ code: 200, body: undefined }));
        }
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

  #review(call: VerbCall): Eventually<VerbResult> {
    const { resource, path, request } = call;
    const { namespace, name } = path;
    if (name !== "" || resource.namespaced !== (namespace !== "")) throw resourceNotFound();
    if (request.method !== "POST") throw wrongMethod();
    const write = writeRequest(call, "CreateOptions");
    return andThen(admitAction(call, decodeNew(write), write.options), (review) => {
      const object = completeReview({
        access: this.#access,
        user: request.user,
        namespace,
        review,
        time: timestamp(this.#registry.clock),
      });
      return { kind: "object", status: 201, object };
    });
  }

  #failed(request: ApiRequest, error: unknown): ApiResponse {
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

/** The status code, as audit events show it. That of a forwarded request is not known yet: 101 switches the protocol. */
function codeOf(response: ApiResponse): number {
  if (response.kind === "whole") return response.status;
  return response.kind === "connect" && response.target.isUpgrade ? 101 : 200;
}

/** Rejects `.`, `..` and `%` in path segments. */
function checkSegments({ name, namespace, plural }: ResourcePath): void {
  if (isDots(namespace)) throw new ApiFailure(500, "", `invalid key: ${goQuote(`/${plural}/${namespace}`)}`);
  const why = isDots(name) ? `may not be '${name}'` : name.includes("%") ? "may not contain '%'" : "";
  if (why !== "") throw badRequest(`Name parameter invalid: ${goQuote(name)}: ${why}`);
}

function isDots(text: string): boolean {
  return text === "." || text === "..";
}

function noKindToWatch(path: string): ApiResponse {
  return {
    kind: "whole",
    status: 500,
    body: `Internal Server Error: ${JSON.stringify(path)}: failed to create RequestInfo: unable to determine kind and namespace from url, ${path}\n`,
    contentType: "text/plain; charset=utf-8",
    isEarly: true,
  };
}

function includeOf(request: ApiRequest, view: View): ViewContext["include"] {
  const { includeObject: requested = "" } = request.query;
  if (view !== "Table" || requested === "") return "Metadata";
  if (requested === "None" || requested === "Object" || requested === "Metadata") return requested;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${goQuote(requested)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

/** The Status of an error: an {@link ApiFailure} as is, any other error as an internal error. */
export function asFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (isOperatorError(error) && error.code === "API_BAD_REQUEST") return new ApiFailure(400, "BadRequest", message);
  return new ApiFailure(500, "InternalError", `Internal error occurred: ${message}`, { causes: [{ message }] });
}
