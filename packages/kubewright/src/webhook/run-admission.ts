import { type ApiStatus, isApiError } from "@kubewright/core/errors";
import { cloneJson, deepFreeze, isJsonObject, type JsonObject } from "@kubewright/core/json";
import { diffJsonPatch, type JsonPatchOperation } from "@kubewright/core/patch";
import { untilAborted } from "../client/index.js";
import { isResource } from "../definition/index.js";
import type { AnyAdmissionContext } from "./admission-context.js";
import type { AdmissionRequest } from "./admission-request.js";
import type { AdmissionResult } from "./admission-response.js";
import type { AdmissionServices } from "./admission-services.js";
import { Denials, failure } from "./deny.js";
import { RequestContext } from "./request-context.js";
import type { AdmissionEndpoint, Webhook } from "./webhook.js";

/**
 * Runs the handler of one half of a webhook for a request.
 *
 * Never rejects. An ApiError that the handler throws becomes the response's status, an abort 504, any other error 500. A request for another resource
 * than the webhook's is denied with 400: the webhook configuration is wrong.
 */
export async function runAdmission(
  webhook: Webhook,
  endpoint: AdmissionEndpoint,
  request: AdmissionRequest,
  services: AdmissionServices,
): Promise<AdmissionResult> {
  const mismatch = mismatchOf(webhook, request);
  if (mismatch !== undefined) return { denied: failure(400, "BadRequest", mismatch) };
  const handler = endpoint.handlers[request.operation];
  if (handler === undefined) return {};
  const isMutating = endpoint === webhook.mutating;
  const denials = new Denials(request);
  const draft = isMutating ? cloneJson(request.object) : deepFreeze(request.object);
  const context = new RequestContext({ request, webhook, services, denials, object: draft });
  let patch: readonly JsonPatchOperation[] = [];
  let denied: ApiStatus | undefined;
  try {
    const running = handler(context as unknown as AnyAdmissionContext);
    const returned = isThenable(running)
      ? await untilAborted(Promise.resolve(running), services.deadline.signal)
      : running;
    // What an aborted handler returned is no verdict.
    if (services.deadline.isOver) throw services.deadline.signal.reason;
    if (isMutating) {
      if (isJsonObject(returned) && returned !== draft)
        throw new TypeError("`default` returned an object: it must change its argument instead");
      patch = patchOf(request.object, draft);
    }
    denied = denials.status();
  } catch (error) {
    denied = await statusOfError(error, { webhook, request, services, isMutating });
  }
  const { warnings, auditAnnotations } = context;
  return { denied, patch, warnings, auditAnnotations };
}

function patchOf(object: JsonObject | undefined, draft: JsonObject | undefined): readonly JsonPatchOperation[] {
  return object === undefined ? [] : diffJsonPatch(object, draft);
}

/** Why a request is none of the webhook's; undefined if it is. */
function mismatchOf({ name, kind, subresource }: Webhook, request: AdmissionRequest): string | undefined {
  const { group, version, resource } = request.resource;
  if (request.operation !== "delete" && request.object === undefined) return `the ${request.operation} has no object`;
  if (kind === undefined) return undefined;
  const isOwn = group === kind.group && version === kind.version && resource === kind.plural;
  if (isOwn && request.subresource === subresource) return undefined;
  const sent = [resource, request.subresource].filter((part) => part !== "").join("/");
  return `webhook "${name}" does not handle ${sent} of "${group}/${version}"; check the rules of the webhook configuration`;
}

interface FailedAdmission {
  readonly webhook: Webhook;
  readonly request: AdmissionRequest;
  readonly services: AdmissionServices;
  readonly isMutating: boolean;
}

async function statusOfError(
  error: unknown,
  { webhook, request, services, isMutating }: FailedAdmission,
): Promise<ApiStatus> {
  const { log, deadline, onFailure } = services;
  const about = { webhook: webhook.name, operation: request.operation, object: request.name, uid: request.uid };
  if (isApiError(error)) return { ...error.status, message: error.status.message ?? error.message };
  if (deadline.isOver) {
    const { reason } = deadline.signal;
    log.warn({ ...about, err: reason }, "The webhook did not return in time");
    return failure(504, "Timeout", `webhook "${webhook.name}" was aborted: ${messageOf(reason)}`);
  }
  const invalid = isMutating ? await schemaErrorsOf(webhook, request) : undefined;
  if (invalid !== undefined) return invalid;
  log.error({ ...about, err: error }, "A webhook handler failed");
  onFailure?.(error);
  return failure(500, "InternalError", `webhook "${webhook.name}" failed: ${messageOf(error)}`);
}

/** A defaulter runs before the schema is validated: where it fails on an object that the schema rejects, the schema's errors are the reason. */
async function schemaErrorsOf(
  { kind, subresource }: Webhook,
  request: AdmissionRequest,
): Promise<ApiStatus | undefined> {
  if (kind === undefined || subresource !== "" || !isResource(kind)) return undefined;
  // Loaded on use, as it needs the CEL engine.
  const { checkFields } = await import("../validation/index.js");
  const { errors } = checkFields(kind, request.object, request.oldObject);
  const denials = new Denials(request);
  for (const error of errors) denials.addField(error);
  return denials.status();
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
