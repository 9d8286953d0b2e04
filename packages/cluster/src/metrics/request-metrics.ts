import { metric } from "./metrics-text.js";
import { RequestSeries } from "./request-series.js";

/** The verb of a request, as kube-apiserver's metrics name it. */
export type RequestVerb = "GET" | "LIST" | "WATCH" | "POST" | "PUT" | "PATCH" | "APPLY" | "DELETE" | "DELETECOLLECTION";

/** What a request is for: one object, the objects of a namespace, or all. Empty for a path that is no resource. */
export type RequestScope = "" | "cluster" | "namespace" | "resource";

/** A resource that is served; the same object for each request to it. */
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
 * Counts requests under kube-apiserver's names.
 *
 * A request costs a few map lookups by strings that are there already: labels are written once per series.
 */
export class RequestMetrics {
  readonly #series = new Map<string, RequestSeries>();
  /** The same by what a request is known by. A changed definition has another resource object, and the same series. */
  readonly #known = new WeakMap<CountedResource, Map<string, Map<RequestScope, Map<RequestVerb, RequestSeries>>>>();

  /** The series of such requests. Resource is undefined for a path that is no resource. */
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
        { name: durations, type: "histogram", help: "Seconds to the response, of requests that are no watches." },
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
