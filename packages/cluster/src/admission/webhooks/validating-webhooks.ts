import { type AdmissionRequest, andThen, type Eventually } from "../../registry/index.js";
import { isExempt } from "../matching/index.js";
import type { AdmissionPlugin } from "../plugin.js";
import type { Webhook } from "./webhook.js";
import { annotateFailedOpen } from "./webhook-annotations.js";
import { type Invocation, WebhookCalls } from "./webhook-call.js";
import { type WebhookDependencies, WebhookSource } from "./webhook-source.js";

/** ValidatingAdmissionWebhook: calls all matching validating webhooks at once. */
export function validatingWebhooks(dependencies: WebhookDependencies): AdmissionPlugin {
  const source = new WebhookSource(
    dependencies.registry,
    "validatingwebhookconfigurations.admissionregistration.k8s.io",
  );
  const calls = new WebhookCalls(dependencies, source, false);
  return {
    name: "ValidatingAdmissionWebhook",
    mayWait: (resource) => source.concerning(resource).length > 0,
    validate(request) {
      const webhooks = source.concerning(request.resource);
      if (webhooks.length === 0 || isExempt(request)) return;
      return andThen(matching(calls, webhooks, request), (invocations) => {
        if (invocations.length > 0) return callAll(calls, invocations, request);
      });
    },
  };
}

/** The webhooks that a request matches. Only a conversion makes it wait. */
function matching(
  calls: WebhookCalls,
  webhooks: readonly Webhook[],
  request: AdmissionRequest,
  found: readonly Invocation[] = [],
): Eventually<readonly Invocation[]> {
  const [first, ...others] = webhooks;
  if (first === undefined) return found;
  return andThen(calls.match(first, request), (invocation) =>
    matching(calls, others, request, invocation ? [...found, invocation] : found),
  );
}

/** Waits for all webhooks. Of several rejections, the client gets the one that came first, as in kube-apiserver. */
async function callAll(
  calls: WebhookCalls,
  invocations: readonly Invocation[],
  request: AdmissionRequest,
): Promise<void> {
  const rejections: unknown[] = [];
  await Promise.all(
    invocations.map(async (invocation, index) => {
      try {
        const called = await calls.call(invocation, request);
        if (called === undefined)
          annotateFailedOpen(request, invocation.webhook, { kind: "validating", round: 0, index });
      } catch (error) {
        rejections.push(error);
      }
    }),
  );
  if (rejections.length > 0) throw rejections[0];
}
