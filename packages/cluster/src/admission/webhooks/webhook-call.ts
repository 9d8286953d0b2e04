import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import {
  type AdmissionRequest,
  ApiFailure,
  andThen,
  badRequest,
  type Eventually,
  forbidden,
  internalError,
} from "../../registry/index.js";
import { CallFailure } from "../../webhook-client/index.js";
import { requestObject } from "../expressions/index.js";
import {
  type AdmittedObjects,
  admittedObjects,
  conversionProblem,
  type Match,
  matchRequest,
} from "../matching/index.js";
import { admissionReview } from "./admission-review.js";
import { type ReviewResponse, readResponse } from "./review-response.js";
import type { Webhook } from "./webhook.js";
import type { WebhookDependencies, WebhookSource } from "./webhook-source.js";

/** A webhook that a request matches. */
export interface Invocation {
  readonly webhook: Webhook;
  readonly match: Match;
}

/** Matches requests against webhooks, and calls them. */
export class WebhookCalls {
  readonly #dependencies: WebhookDependencies;
  readonly #source: WebhookSource;
  readonly #isMutating: boolean;

  constructor(dependencies: WebhookDependencies, source: WebhookSource, isMutating: boolean) {
    this.#dependencies = dependencies;
    this.#source = source;
    this.#isMutating = isMutating;
  }

  /** Matches a request by rules, selectors and conditions; undefined if the webhook is not called. Throws a rejection. */
  match(webhook: Webhook, request: AdmissionRequest): Eventually<Invocation | undefined> {
    const match = matchRequest(request, webhook.criteria, this.#source.context);
    if (match === undefined) return undefined;
    const { conditions } = webhook;
    if (conditions === undefined) return { webhook, match };
    const { authorizer } = this.#dependencies;
    return andThen(objectsOf(request, match), (objects) => {
      const { user, resource, name } = request;
      const result = conditions.evaluate({ request: requestObject(request, match), ...objects, user, authorizer });
      if (result.kind === "failed") throw forbidden(resource, name, result.why);
      return result.kind === "matches" ? { webhook, match } : undefined;
    });
  }

  /**
   * Calls a webhook. Warnings of the response are sent to the client, its audit annotations are added to the audit event.
   *
   * Resolves with undefined if the call failed and the failurePolicy is Ignore. Rejects with the {@link ApiFailure} of a rejection.
   */
  async call({ webhook, match }: Invocation, request: AdmissionRequest): Promise<Called | undefined> {
    const { name, supportsDryRun, failsOpen } = webhook;
    if (request.dryRun && !supportsDryRun) throw badRequest(`admission webhook "${name}" does not support dry run`);
    const converted = objectsOf(request, match);
    const objects = converted instanceof Promise ? await converted : converted;
    try {
      const response = await this.#send({ webhook, match }, request, objects);
      for (const [key, value] of Object.entries(response.auditAnnotations)) request.annotate?.(`${name}/${key}`, value);
      for (const warning of response.warnings) if (warning !== "") request.warn(warning);
      if (!response.allowed) throw denial(name, response.status);
      return { response, objects };
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      if (failsOpen) return undefined;
      throw callFailed(name, error.message);
    }
  }

  /** Sends a review, and verifies the response. Rejects with a {@link CallFailure}. */
  #send({ webhook, match }: Invocation, request: AdmissionRequest, objects: AdmittedObjects): Promise<ReviewResponse> {
    const { target, timeoutMs, reviewVersions } = webhook;
    const { caller, registry } = this.#dependencies;
    const version = reviewVersions.find((one) => one === "v1" || one === "v1beta1");
    if (version === undefined)
      throw new CallFailure(
        "could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)",
      );
    const uid = registry.newUid();
    const review = admissionReview(requestObject(request, match), { version, uid, ...objects });
    return caller.call(target, review, { timeoutMs, sendsTimeout: true }).then(
      (body) => readResponse(body, { version, uid, isMutating: this.#isMutating }),
      (error: unknown) => {
        throw new CallFailure(`failed to call webhook: ${error instanceof Error ? error.message : String(error)}`);
      },
    );
  }
}

/** The response of an admitted request, and the objects that the webhook saw. */
export interface Called {
  readonly response: ReviewResponse;
  readonly objects: AdmittedObjects;
}

/** The objects of a request in the version that a webhook expects. */
function objectsOf(request: AdmissionRequest, { resource }: Match): Eventually<AdmittedObjects> {
  const problem = conversionProblem(request);
  if (problem !== undefined) throw internalError(`Internal error occurred: ${problem}`);
  return admittedObjects(request, resource);
}

/** 500: a webhook could not be called, or its response is invalid. */
export function callFailed(name: string, why: string): ApiFailure {
  return internalError(`failed calling webhook "${name}": ${why}`);
}

/** The rejection of a webhook that denies a request, with the code, reason and details of its Status. */
function denial(name: string, status: JsonObject = {}): ApiFailure {
  const { code, message, reason, details, status: given } = status;
  const text = typeof message === "string" ? message : "";
  const why = typeof reason === "string" ? reason : "";
  const denied = `admission webhook "${name}" denied the request`;
  const explained = text || why;
  const failure = new ApiFailure(
    typeof code === "number" && code >= 400 ? code : 400,
    why,
    explained === "" ? `${denied} without explanation` : `${denied}: ${explained}`,
    isJsonObject(details) ? details : undefined,
  );
  const isOther = typeof given === "string" && given !== "" && given !== "Success" && given !== "Failure";
  return isOther ? Object.assign(failure, { status: Object.freeze({ ...failure.status, status: given }) }) : failure;
}
