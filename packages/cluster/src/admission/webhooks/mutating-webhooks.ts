import { deepEqual, isJsonObject, type JsonObject, type JsonValue, parseJson } from "@kubewright/core/json";
import { applyJsonPatch, PatchError } from "@kubewright/core/patch";
import { type AdmissionRequest, andThen, draftOf, type Eventually, internalError } from "../../registry/index.js";
import { admittedObject, convertObject, isExempt, replaceAdmitted } from "../matching/index.js";
import type { AdmissionPlugin } from "../plugin.js";
import type { Reinvocation } from "../reinvocation.js";
import type { ReviewResponse } from "./review-response.js";
import type { Webhook } from "./webhook.js";
import { annotateFailedOpen, annotateMutation, annotatePatch, type CallPosition } from "./webhook-annotations.js";
import { type Called, callFailed, type Invocation, WebhookCalls } from "./webhook-call.js";
import { type WebhookDependencies, WebhookSource } from "./webhook-source.js";

const name = "MutatingAdmissionWebhook";

/** MutatingAdmissionWebhook: calls mutating webhooks one after another, and applies their patches. */
export function mutatingWebhooks(dependencies: WebhookDependencies): AdmissionPlugin {
  const source = new WebhookSource(dependencies.registry, "mutatingwebhookconfigurations.admissionregistration.k8s.io");
  const calls = new WebhookCalls(dependencies, source, true);
  return {
    name,
    mayWait: (resource) => source.concerning(resource).length > 0,
    mutate(request, _, reinvocation) {
      const webhooks = source.concerning(request.resource);
      if (webhooks.length === 0 || isExempt(request)) return;
      return new MutatingRun({ calls, source }, request, reinvocation).run(webhooks);
    },
  };
}

/** What the plugin remembers between its two runs for a request, by the ids of webhooks. */
class ReinvocationState {
  /** Webhooks that were called, and are called again if the object changes. */
  #invoked = new Set<string>();
  readonly #due = new Set<string>();
  /** The object after the last run. */
  lastObject: JsonObject | undefined;

  /** Whether any webhook may be called again. */
  get hasReinvocable(): boolean {
    return this.#invoked.size > 0 || this.#due.size > 0;
  }

  isDue(webhook: string): boolean {
    return this.#due.has(webhook);
  }

  addInvoked(webhook: string): void {
    this.#invoked.add(webhook);
  }

  /** The object changed: all webhooks called so far are due again. */
  require(): void {
    for (const webhook of this.#invoked) this.#due.add(webhook);
    this.#invoked = new Set();
  }
}

/** One run of the plugin for a request. */
class MutatingRun {
  readonly #calls: WebhookCalls;
  readonly #source: WebhookSource;
  readonly #request: AdmissionRequest;
  readonly #reinvocation: Reinvocation;
  readonly #state: ReinvocationState;

  constructor(
    { calls, source }: { readonly calls: WebhookCalls; readonly source: WebhookSource },
    request: AdmissionRequest,
    reinvocation: Reinvocation,
  ) {
    this.#calls = calls;
    this.#source = source;
    this.#request = request;
    this.#reinvocation = reinvocation;
    this.#state = reinvocation.state(name, () => new ReinvocationState());
  }

  run(webhooks: readonly Webhook[]): Eventually<void> {
    if (this.#reinvocation.isReinvocation && !this.#state.hasReinvocable) return;
    const { object } = this.#request;
    const { lastObject } = this.#state;
    // Other plugins changed the object when they ran again: every webhook must see that.
    if (this.#reinvocation.isReinvocation && lastObject !== undefined && !deepEqual(lastObject, object))
      this.#state.require();
    return andThen(this.#next(webhooks, 0), () => {
      // Plugins that run again change the object in place.
      if (this.#reinvocation.isRequired && this.#state.hasReinvocable)
        this.#state.lastObject = draftOf(this.#request.object);
    });
  }

  /** Continues with a webhook. Synchronous as long as none is called. */
  #next(webhooks: readonly Webhook[], from: number): Eventually<void> {
    for (let index = from; index < webhooks.length; index++) {
      const webhook = webhooks[index];
      if (webhook === undefined) continue;
      const found = this.#calls.match(webhook, this.#request);
      if (found instanceof Promise)
        return found.then((invocation) => andThen(this.#invoke(invocation), () => this.#next(webhooks, index + 1)));
      const pending = this.#invoke(found);
      if (pending !== undefined) return pending.then(() => this.#next(webhooks, index + 1));
    }
  }

  #invoke(invocation: Invocation | undefined): Promise<void> | undefined {
    if (invocation === undefined) return undefined;
    const { webhook } = invocation;
    // A webhook that did not match in the first run is not called in the second.
    if (this.#reinvocation.isReinvocation && !this.#state.isDue(webhook.id)) return undefined;
    return this.#call(invocation);
  }

  async #call(invocation: Invocation): Promise<void> {
    const { webhook } = invocation;
    let mutated = false;
    try {
      const called = await this.#calls.call(invocation, this.#request);
      if (called === undefined) this.#failedOpen(webhook);
      else mutated = await this.#apply(invocation, called);
    } finally {
      annotateMutation(this.#request, webhook, { ...this.#position(webhook), mutated });
    }
    if (mutated) {
      this.#state.require();
      this.#reinvocation.require();
    }
    if (webhook.isReinvoked) this.#state.addInvoked(webhook.id);
  }

  #failedOpen(webhook: Webhook): void {
    annotateFailedOpen(this.#request, webhook, { kind: "mutation", ...this.#position(webhook) });
  }

  #position(webhook: Webhook): CallPosition {
    return { round: this.#reinvocation.isReinvocation ? 1 : 0, index: this.#source.indexOf(webhook) };
  }

  /** Applies the patch of a response. Returns whether it changed the object. */
  async #apply({ webhook, match }: Invocation, { response, objects }: Called): Promise<boolean> {
    const request = this.#request;
    const patch = this.#patchOf(webhook, response);
    if (patch === undefined) return false;
    const { object } = objects;
    if (object === undefined)
      throw internalError(
        `admission webhook "${webhook.name}" attempted to modify the object, which is not supported for this operation`,
      );
    const patched = patchedObject(object, patch);
    const converted = convertObject(patched, match.resource, request.resource);
    const changed = converted instanceof Promise ? await converted : converted;
    const before = admittedObject(request) ?? {};
    replaceAdmitted(request, changed as JsonObject, internalError);
    annotatePatch(request, webhook, { ...this.#position(webhook), patch });
    return !deepEqual(before, admittedObject(request) ?? {});
  }

  /** The operations of a patch; undefined if there are none, or if the patch is malformed and the failurePolicy is Ignore. */
  #patchOf(webhook: Webhook, { patch, patchType }: ReviewResponse): readonly JsonValue[] | undefined {
    if (patch === "") return undefined;
    const failed = (why: string): undefined => {
      if (!webhook.failsOpen) throw callFailed(webhook.name, why);
      this.#failedOpen(webhook);
      return undefined;
    };
    let operations: JsonValue;
    try {
      operations = parseJson(patch);
    } catch (error) {
      return failed(`received undecodable patch in webhook response: ${error instanceof Error ? error.message : ""}`);
    }
    if (operations === null) return undefined;
    if (!Array.isArray(operations) || !operations.every((one) => one === null || isJsonObject(one)))
      return failed("received undecodable patch in webhook response: json: cannot unmarshal into a JSON patch");
    if (operations.length === 0) return undefined;
    if (patchType !== "JSONPatch") return failed(`unsupported patch type "${patchType}"`);
    return operations;
  }
}

/** The patched object. It shares what the patch does not touch with the given one, which it replaces. */
function patchedObject(object: JsonObject, patch: readonly JsonValue[]): JsonObject {
  try {
    const patched = applyJsonPatch(object, patch);
    // What was moved or copied is decoded again, where it is now.
    const isMoved = patch.some((operation) => isJsonObject(operation) && "from" in operation);
    if (isJsonObject(patched)) return isMoved ? draftOf(patched) : patched;
    throw internalError("the patch of a webhook replaces the object with a value that is no object");
  } catch (error) {
    throw error instanceof PatchError ? internalError(error.message) : error;
  }
}
