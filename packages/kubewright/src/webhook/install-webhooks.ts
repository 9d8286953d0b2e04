import { isNotFound } from "@kubewright/core/errors";
import type { Client } from "../client/index.js";
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "../k8s/admissionregistration/v1.gen.js";
import type { Webhook } from "./webhook.js";
import { type WebhookConfigurationOptions, webhookConfigurations } from "./webhook-configurations.js";

/** Options of {@link installWebhooks}. */
export interface InstallWebhooksOptions extends WebhookConfigurationOptions {
  /** Applies and deletes the configurations. */
  readonly client: Client;
  /** Ends the installation. */
  readonly signal?: AbortSignal;
}

/**
 * Applies the webhook configurations of an operator: for local development and tests. In a cluster they are manifests, which `kubewright generate` writes.
 *
 * API servers call the webhooks some time later. The result deletes the configurations: without a server behind them, `failurePolicy: "Fail"` rejects
 * every request that they match.
 *
 * @example
 * await using _ = await installWebhooks([admission], { client, operator: "website-operator", url: "https://127.0.0.1:9443", caBundle });
 */
export async function installWebhooks(
  webhooks: readonly Webhook[],
  options: InstallWebhooksOptions,
): Promise<AsyncDisposable> {
  const { client, operator, signal } = options;
  const installed: (() => Promise<unknown>)[] = [];
  const uninstall = async (): Promise<void> => void (await Promise.all(installed.map((remove) => remove())));
  try {
    for (const { metadata, ...fields } of webhookConfigurations(webhooks, options)) {
      const kind =
        fields.kind === "MutatingWebhookConfiguration" ? MutatingWebhookConfiguration : ValidatingWebhookConfiguration;
      const how = { fieldManager: operator, force: true, ...(signal && { signal }) };
      await client.apply(kind, { ...fields, metadata } as never, how);
      installed.push(() => client.delete(kind, metadata.name).catch(ignoreMissing));
    }
  } catch (error) {
    await uninstall();
    throw error;
  }
  return { [Symbol.asyncDispose]: uninstall };
}

function ignoreMissing(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
