import type { ApiStatus, ApiStatusCause, ApiStatusDetails } from "@kubewright/core/errors";
import { qualifiedResource } from "@kubewright/core/identity";
import { type FieldError, fieldErrorBody, fieldErrorReason, formatFieldError } from "@kubewright/core/schema";

/** The rejection of a request, with the `Status` of its response. */
export class ApiFailure extends Error {
  override readonly name = "ApiFailure";
  readonly status: ApiStatus & { readonly code: number };

  constructor(code: number, reason: string, message: string, details?: ApiStatusDetails) {
    super(message);
    this.status = Object.freeze({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message,
      ...(reason === "" ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
      code,
    });
  }
}

/** The resource that a failure names. */
export interface FailureSubject {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
}

function detailsOf(subject: FailureSubject, name: string): ApiStatusDetails {
  return {
    ...(name === "" ? {} : { name }),
    ...(subject.group === "" ? {} : { group: subject.group }),
    kind: subject.plural,
  };
}

function nameOf(subject: FailureSubject): string {
  return qualifiedResource(subject.group, subject.plural);
}

/** 404: the object does not exist. */
export function notFound(subject: FailureSubject, name: string): ApiFailure {
  return new ApiFailure(404, "NotFound", `${nameOf(subject)} "${name}" not found`, detailsOf(subject, name));
}

/** 404: the resource is not served. */
export function resourceNotFound(): ApiFailure {
  return new ApiFailure(404, "NotFound", "the server could not find the requested resource", {});
}

/** 409: an object of that name exists, and may be terminating. */
export function alreadyExists(subject: FailureSubject, name: string, isTerminating = false): ApiFailure {
  const text = `${isTerminating ? "object is being deleted: " : ""}${nameOf(subject)} "${name}" already exists`;
  return new ApiFailure(409, "AlreadyExists", text, detailsOf(subject, name));
}

/** 409: no free name was found for `generateName`. */
export function noUniqueName(subject: FailureSubject, name: string, isTerminating = false): ApiFailure {
  const { message } = alreadyExists(subject, name, isTerminating);
  const text = `${message}, the server was not able to generate a unique name for the object`;
  return new ApiFailure(409, "AlreadyExists", text, { ...detailsOf(subject, name), retryAfterSeconds: 1 });
}

/** 409: the object is not in the state that the request expects. */
export function conflict(subject: FailureSubject, name: string, why: string): ApiFailure {
  const text = `Operation cannot be fulfilled on ${nameOf(subject)} "${name}": ${why}`;
  return new ApiFailure(409, "Conflict", text, detailsOf(subject, name));
}

/** 409: the object changed since the client read it. */
export function modified(subject: FailureSubject, name: string): ApiFailure {
  return conflict(
    subject,
    name,
    "the object has been modified; please apply your changes to the latest version and try again",
  );
}

/** 422: the object is invalid. `errors` must not be empty. */
export function invalid(
  subject: { readonly group: string; readonly kind: string },
  name: string,
  errors: readonly FieldError[],
): ApiFailure {
  const messages = [...new Set(errors.map(formatFieldError))];
  const causes: ApiStatusCause[] = errors.map((error) => ({
    reason: fieldErrorReason(error.type),
    message: fieldErrorBody(error),
    field: error.field,
  }));
  const { group } = subject;
  const kind = qualifiedResource(group, subject.kind);
  return new ApiFailure(
    422,
    "Invalid",
    `${kind} "${name}" is invalid: ${messages.length === 1 ? messages[0] : `[${messages.join(", ")}]`}`,
    {
      ...(name === "" ? {} : { name }),
      ...(group === "" ? {} : { group }),
      ...(subject.kind === "" ? {} : { kind: subject.kind }),
      causes,
    },
  );
}

/** 403: the request is forbidden. */
export function forbidden(
  subject: FailureSubject,
  name: string,
  why: string,
  causes?: readonly ApiStatusCause[],
): ApiFailure {
  const text = `${nameOf(subject)}${name === "" ? "" : ` "${name}"`} is forbidden: ${why}`;
  return new ApiFailure(403, "Forbidden", text, { ...detailsOf(subject, name), ...(causes ? { causes } : {}) });
}

/** 400: the request is malformed. */
export function badRequest(why: string): ApiFailure {
  return new ApiFailure(400, "BadRequest", why);
}

/** 500: the server failed. */
export function internalError(why: string): ApiFailure {
  return new ApiFailure(500, "InternalError", `Internal error occurred: ${why}`, { causes: [{ message: why }] });
}

/** 410: the history was compacted. `metadata` may hold the continue token for the rest of the list. */
export function expired(why: string, metadata: ApiStatus["metadata"] = {}): ApiFailure {
  const failure = new ApiFailure(410, "Expired", why);
  return Object.assign(failure, { status: Object.freeze({ ...failure.status, metadata }) });
}

/** 415: the body's format is not one of `accepted`. */
export function unsupportedMediaType(accepted: readonly string[]): ApiFailure {
  return new ApiFailure(
    415,
    "UnsupportedMediaType",
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`,
  );
}
