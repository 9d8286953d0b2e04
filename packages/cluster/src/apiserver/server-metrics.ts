import {
  labelsOf,
  metric,
  metricsContentType,
  processMetrics,
  RequestMetrics,
  type RequestScope,
  type RequestVerb,
  sample,
} from "../metrics/index.js";
import { applyPatchType, isTrue, type Registry, type Resource } from "../registry/index.js";
import type { ApiRequest, ApiResponse } from "./api-request.js";
import type { ResourcePath } from "./request-path.js";

/** A request with its parsed path, its resource and its start time. */
export interface RoutedRequest {
  readonly request: ApiRequest;
  readonly path: ResourcePath | undefined;
  readonly resource: Resource | undefined;
  /** By the monotonic clock. */
  readonly startedMs: number;
}

/** Serves `/metrics`: request metrics, stored objects, and process metrics. */
export class ServerMetrics {
  readonly #registry: Registry;
  readonly #requests = new RequestMetrics();
  #inflightReads = 0;
  #inflightWrites = 0;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Counts a request as in flight until the returned function is called. */
  wait({ method }: ApiRequest): () => void {
    const isRead = method === "GET" || method === "HEAD";
    const add = (count: number): void => {
      if (isRead) this.#inflightReads += count;
      else this.#inflightWrites += count;
    };
    add(1);
    return () => add(-1);
  }

  /** Records a completed request. */
  observe({ request, path, resource, startedMs }: RoutedRequest, response: ApiResponse): void {
    const named = resource === undefined ? undefined : path;
    const isWatch = response.kind === "watch";
    const verb = isWatch ? "WATCH" : verbOf(request, named);
    const series = this.#requests.series(resource, named?.subresource ?? "", verb, scopeOf(request, named));
    series.count(response.kind === "whole" ? response.status : 200);
    if (isWatch) series.add(response.events);
    else series.durations.observe((this.#registry.clock.monotonic() - startedMs) / 1_000);
  }

  /** The response to `/metrics`. */
  page(): ApiResponse {
    const inflight = "apiserver_current_inflight_requests";
    const objects = "apiserver_storage_objects";
    const { store, clock } = this.#registry;
    const stored = this.#registry.storedResources().map(({ group, plural, bucket }) => {
      const resource = group === "" ? plural : `${plural}.${group}`;
      return sample(objects, labelsOf({ resource }), store.bucket(bucket).size);
    });
    const body = [
      this.#requests.write(),
      metric(
        { name: inflight, type: "gauge", help: "Requests in flight." },
        sample(inflight, labelsOf({ request_kind: "readOnly" }), this.#inflightReads) +
          sample(inflight, labelsOf({ request_kind: "mutating" }), this.#inflightWrites),
      ),
      metric({ name: objects, type: "gauge", help: "Stored objects by resource." }, stored.join("")),
      processMetrics(clock.now()),
    ].join("");
    return { kind: "whole", status: 200, body, contentType: metricsContentType };
  }
}

function verbOf({ method, query, headers }: ApiRequest, path: ResourcePath | undefined): RequestVerb {
  switch (method) {
    case "POST":
    case "PUT":
      return method;
    case "PATCH":
      return headers["content-type"]?.startsWith(applyPatchType) === true ? "APPLY" : "PATCH";
    case "DELETE":
      return path?.name === "" ? "DELETECOLLECTION" : "DELETE";
    default:
      if (path?.isWatch === true || isTrue(query["watch"])) return "WATCH";
      return path?.name === "" ? "LIST" : "GET";
  }
}

function scopeOf({ method }: ApiRequest, path: ResourcePath | undefined): RequestScope {
  if (path === undefined) return "";
  if (path.name !== "" || method === "POST") return "resource";
  return path.namespace === "" ? "cluster" : "namespace";
}
