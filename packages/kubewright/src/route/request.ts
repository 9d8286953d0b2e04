/**
 * Which object is to be reconciled, as the key of its controller's queue: `namespace/name`, `name` for cluster-scoped kinds, or a key of the
 * controller's own. Says nothing about what happened: a run looks at the whole state.
 */
export type Request = string;

/** How a mapping or a source names an object. */
export type Target = string | { readonly namespace?: string; readonly name: string };

/** The requests that one state of an object leads to; none, one or many. */
export type Requests = Request | readonly Request[] | undefined;

/** The requests that two states of an object lead to, those of the first before those of the second, each once; undefined for none. */
export function requestsOfBoth(first: Requests, second: Requests): Request | ReadonlySet<Request> | undefined {
  // Mostly one, the same before and after.
  if (first === second && typeof first !== "object") return first;
  if (first === undefined && typeof second !== "object") return second;
  if (second === undefined && typeof first !== "object") return first;
  const all = new Set(listOf(first));
  for (const request of listOf(second)) all.add(request);
  return all.size === 0 ? undefined : all;
}

function listOf(requests: Requests): readonly Request[] {
  return requests === undefined ? [] : typeof requests === "string" ? [requests] : requests;
}
