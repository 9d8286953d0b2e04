import { metric } from "./metrics-text.js";
import { RequestSeries } from "./request-series.js";

/** The verb of a request, as kube-apiserver's metrics name it. */
export type RequestVerb = "GET" | "LIST" | "WATCH" | "POST" | "PUT" | "PATCH" | "APPLY" | "DELETE" | "DELETECOLLECTION";

/** Scope of a request: one object, a namespace, or the cluster. Empty for a non-resource path. */
export type RequestScope = "" | "cluster" | "namespace" | "resource";

/** A served resource; each request to it passes the same object. */
export interface CountedResource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

const noResource: CountedResource = { group: "", version: "", plural: "" };
const total = "apiserver_request_total";
const durations = "apiserver_request_duration_seconds";
const open = "apiserver_longrunning_requests";

/**
 * Counts requests, with kube-apiserver's metric names.
 *
 * A request costs a few map lookups by existing strings: labels are formatted once per series.
 */
export class RequestMetrics {
  readonly #series = new Map<string, RequestSeries>();
  /** The same series by resource object. A changed CustomResourceDefinition has a new resource object and the same series. */
  readonly #known = new WeakMap<CountedResource, Map<string, Map<RequestScope, Map<RequestVerb, RequestSeries>>>>();

  /** The series of requests with these labels. `resource` is undefined for a non-resource path. */
  series(
    resource: CountedResource = noResource,
    subresource: string,
    verb: RequestVerb,
    scope: RequestScope,
  ): RequestSeries {
    const known = this.#known.get(resource)?.get(subresource)?.get(scope)?.get(verb);
    if (known !== undefined) return known;
    const { group, version, plural } = resource;
    const id = [group, version, plural, subresource, scope, verb].join("/");
    const series =
      this.#series.get(id) ?? new RequestSeries({ verb, group, version, resource: plural, subresource, scope });
    this.#series.set(id, series);
    const parts = getOrSet(this.#known, resource, () => new Map());
    const scopes = getOrSet(parts, subresource, () => new Map());
    getOrSet(scopes, scope, () => new Map()).set(verb, series);
    return series;
  }

  /** The metrics in the Prometheus text format. */
  write(): string {
    const all = [...this.#series.values()];
    return [
      metric(
        { name: total, type: "counter", help: "Requests by verb, resource and HTTP status." },
        all.map((one) => one.writeTotal(total)).join(""),
      ),
      metric(
        { name: durations, type: "histogram", help: "Response latency in seconds, except for watches." },
        all.map((one) => one.writeDurations(durations)).join(""),
      ),
      metric({ name: open, type: "gauge", help: "Open watches." }, all.map((one) => one.writeOpen(open)).join("")),
    ].join("");
  }
}

function getOrSet<K, V>(map: { get(key: K): V | undefined; set(key: K, value: V): unknown }, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
