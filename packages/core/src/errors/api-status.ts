/** Kubernetes' `Status`, the body of a failed response. */
export interface ApiStatus {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string };
  readonly status: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: string;
  readonly details?: ApiStatusDetails;
  readonly code?: number;
}

/** The object and the causes of a failure. */
export interface ApiStatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly ApiStatusCause[];
  readonly retryAfterSeconds?: number;
}

/** One cause of a failure, for instance one invalid field. */
export interface ApiStatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** Whether a response body is a `Status`. */
export function isApiStatus(body: unknown): body is ApiStatus {
  return typeof body === "object" && body !== null && "kind" in body && body.kind === "Status" && "status" in body;
}
