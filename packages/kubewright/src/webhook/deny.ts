import type { ApiStatus, ApiStatusCause } from "@kubewright/core/errors";
import { goQuote, isJsonObject, type JsonObject, type JsonValue, normaliseJson } from "@kubewright/core/json";
import {
  type FieldError,
  type FieldErrorType,
  fieldErrorBody,
  fieldErrorReason,
  formatFieldError,
} from "@kubewright/core/schema";
import type { AdmissionRequest } from "./admission-request.js";
import { valueAtField } from "./field-value.js";

/** What is wrong with a field. */
export interface FieldDenial {
  /** The kind of error that Kubernetes reports. @default "Required" for an absent field, else "Invalid" */
  readonly type?: FieldErrorType;
  /** The value in the message. @default the field's value in the object */
  readonly value?: unknown;
}

/** A denial with a status of its own. */
export interface Denial {
  readonly message: string;
  /** The reason of the status, such as `Conflict`. @default "Forbidden" */
  readonly reason?: string;
  /** The HTTP status code, from 400 on. @default the code of the reason; 403 for an unknown one */
  readonly code?: number;
  /** Details by field. @default none */
  readonly causes?: readonly ApiStatusCause[];
  /** Asks the client to retry after that many seconds. @default not set */
  readonly retryAfterSeconds?: number;
}

/**
 * Denies the request. It does not throw: the handler continues, so that one response reports all fields.
 *
 * `deny("spec.host", "must not change")` reports an invalid field, with code 422; kubectl prints it as the API server's own field errors.
 * `deny("only on Mondays")` forbids the request as a whole, with code 403. `deny({ message, reason, code, causes })` sets the status.
 */
export interface Deny {
  (field: string, message: string, how?: FieldDenial): void;
  (denial: string | Denial): void;
}

const codes: Readonly<Record<string, number>> = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  AlreadyExists: 409,
  Conflict: 409,
  Gone: 410,
  Invalid: 422,
  TooManyRequests: 429,
  InternalError: 500,
  ServiceUnavailable: 503,
  Timeout: 504,
};

/** Collects the denials of one request. */
export class Denials {
  readonly #request: AdmissionRequest;
  readonly #fields: FieldError[] = [];
  #whole: Denial | undefined;

  constructor(request: AdmissionRequest) {
    this.#request = request;
  }

  /** See {@link Deny}. */
  readonly deny: Deny = (denial: string | Denial, message?: string, how: FieldDenial = {}): void => {
    if (typeof denial === "string" && message !== undefined) this.addField(this.#fieldError(denial, message, how));
    else this.#whole ??= typeof denial === "string" ? { message: denial } : denial;
  };

  /** Adds an invalid field. */
  addField(error: FieldError): void {
    this.#fields.push(error);
  }

  /** The status of the response; undefined if nothing was denied. */
  status(): ApiStatus | undefined {
    const causes = this.#fields.map(causeOf);
    if (this.#whole !== undefined) return statusOf(this.#whole, this.#request, causes);
    return causes.length === 0 ? undefined : invalidStatus(this.#fields, this.#request);
  }

  #fieldError(field: string, detail: string, how: FieldDenial): FieldError {
    const subject = this.#request.object ?? this.#request.oldObject ?? {};
    const found = "value" in how && how.value !== undefined ? normaliseJson(how.value) : valueAtField(subject, field);
    const type = how.type ?? (found === undefined ? "Required" : "Invalid");
    return { type, field, badValue: found ?? null, detail };
  }
}

/** As the API server's own: 422 with a cause for each field. */
function invalidStatus(errors: readonly FieldError[], request: AdmissionRequest): ApiStatus {
  const { group, kind } = request.kind;
  const qualified = group === "" ? kind : `${kind}.${group}`;
  const lines = [...new Set(errors.map(formatFieldError))];
  const problem = lines.length === 1 ? lines[0] : `[${lines.join(", ")}]`;
  return failure(422, "Invalid", `${qualified} ${goQuote(nameOf(request))} is invalid: ${problem}`, {
    ...detailsOf(request),
    causes: errors.map(causeOf),
  });
}

function statusOf(denial: Denial, request: AdmissionRequest, fields: readonly ApiStatusCause[]): ApiStatus {
  const { message, reason = "Forbidden", code = codes[reason] ?? 403, causes = [], retryAfterSeconds } = denial;
  const all = [...causes, ...fields];
  return failure(code, reason, message, {
    ...detailsOf(request),
    ...(all.length > 0 && { causes: all }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

function causeOf(error: FieldError): ApiStatusCause {
  return { reason: fieldErrorReason(error.type), message: fieldErrorBody(error), field: error.field };
}

function detailsOf(request: AdmissionRequest): NonNullable<ApiStatus["details"]> {
  return { name: nameOf(request), group: request.kind.group, kind: request.kind.kind };
}

/** A Failure status. */
export function failure(
  code: number,
  reason: string,
  message: string,
  details?: NonNullable<ApiStatus["details"]>,
): ApiStatus {
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    reason,
    ...(details && { details }),
    code,
  };
}

/** The name; for an object without one, its `generateName`. */
function nameOf({ name, object }: AdmissionRequest): string {
  if (name !== "") return name;
  const metadata: JsonValue | undefined = object?.["metadata"];
  const meta: JsonObject = isJsonObject(metadata) ? metadata : {};
  const found = meta["name"] ?? meta["generateName"];
  return typeof found === "string" ? found : "";
}
