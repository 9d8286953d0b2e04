/**
 * The key of an object to reconcile: `namespace/name`, `name` for cluster-scoped kinds, or a custom key of the controller. It does not describe the
 * change, because reconciling is level-triggered.
 */
export type Request = string;

/** An object that a mapping or a source names. */
export type Target = string | { readonly namespace?: string; readonly name: string };

/** None, one or many requests. */
export type Requests = Request | readonly Request[] | undefined;

/** Returns the union of the requests of two states of an object, in order; undefined for none. */
export function requestsOfBoth(first: Requests, second: Requests): Request | ReadonlySet<Request> | undefined {
  // The common case: one request, the same before and after.
  if (first === second && typeof first !== "object") return first;
  if (first === undefined && typeof second !== "object") return second;
  if (second === undefined && typeof first !== "object") return first;
  const all = new Set(listOf(first));
  for (const request of listOf(second)) all.add(request);
  return all.size === 0 ? undefined : all;
}

/** The requests as a list. */
export function listOf(requests: Requests): readonly Request[] {
  return requests === undefined ? [] : typeof requests === "string" ? [requests] : requests;
}
