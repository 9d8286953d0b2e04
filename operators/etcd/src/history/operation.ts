/** What a client asks of one key. A value that is left out means: the key does not exist. */
export type Request =
  | { readonly kind: "get" }
  /** Without a value, it deletes the key. */
  | { readonly kind: "put"; readonly value?: string }
  /** Compare and swap: sets `value` if the key has the value `expected`. */
  | { readonly kind: "swap"; readonly expected?: string; readonly value?: string };

/**
 * One operation of a history, as a client observed it. Times are of one monotonic clock, in milliseconds.
 *
 * An operation that certainly did not happen is not part of a history: a connection that was refused, a get that failed.
 */
export interface Operation {
  readonly client: number;
  readonly key: string;
  readonly request: Request;
  readonly calledAtMs: number;
  /** Left out if the outcome is unknown, for instance after a timeout: the write may happen at any later time, or never. */
  readonly returnedAtMs?: number;
  /** Of a completed get or swap: the value that the key had. A swap has swapped if it is `expected`. */
  readonly found?: string;
}

export function describeOperation({ client, key, request, calledAtMs, returnedAtMs, found }: Operation): string {
  const text = (value: string | undefined): string => (value === undefined ? "absent" : JSON.stringify(value));
  const during = `${calledAtMs.toFixed(1)}-${returnedAtMs?.toFixed(1) ?? "?"} ms, client ${client}`;
  const outcome = returnedAtMs === undefined ? "unknown" : `found ${text(found)}`;
  switch (request.kind) {
    case "get":
      return `get ${key}: ${outcome} (${during})`;
    case "put":
      return `put ${key} = ${text(request.value)}${returnedAtMs === undefined ? ": unknown" : ""} (${during})`;
    case "swap":
      return `swap ${key} ${text(request.expected)} -> ${text(request.value)}: ${outcome} (${during})`;
    default:
      return request satisfies never;
  }
}
