import { CertificateAuthority } from "@kubewright/core/certificates";
import { sleep, systemClock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import { type Client, type Operator, rawWebhook, type Webhook } from "kubewright";
import { ConfigMap } from "kubewright/k8s/core/v1";
import { createWebhookHandler, installWebhooks, serveWebhooks, type WebhookHandler } from "kubewright/webhook";

/** The webhooks of an operator on a real API server, for one test. */
export interface RealWebhooks extends AsyncDisposable {
  readonly handler: WebhookHandler;
}

/** How long an API server may take to observe new webhook configurations, and how often that is checked. */
const observedWithinMs = 30_000;
const probeEveryMs = 50;
const probeLabel = "kubewright.io/webhook-probe";

/**
 * Serves the webhooks of an operator on the loopback interface, and installs their configurations for the namespace of the test, until it is disposed.
 * Resolves when the API server calls them.
 */
export async function serveRealWebhooks(
  operator: Operator,
  client: Client,
  clock: Parameters<typeof createWebhookHandler>[0]["clock"],
): Promise<RealWebhooks> {
  const { namespace } = client;
  const authority = new CertificateAuthority("webhooks");
  const observed = { mutating: false, validating: false };
  const probing = probe(observed);
  const handler = createWebhookHandler({ webhooks: [...operator.webhooks, probing], ...(clock && { clock }) });
  const certificate = authority.issueServer("webhooks", ["127.0.0.1"]);
  const server = await serveWebhooks({ handler, address: "127.0.0.1:0", certificate });
  let installed: AsyncDisposable | undefined;
  const close = async (): Promise<void> => {
    await installed?.[Symbol.asyncDispose]();
    await server.close();
  };
  try {
    const webhooks = operator.webhooks.map((webhook) => confined(webhook, namespace));
    installed = await installWebhooks([...webhooks, probing], {
      client,
      operator: `${operator.name}-${namespace}`,
      url: `https://127.0.0.1:${server.port}`,
      caBundle: Buffer.from(authority.certificate).toString("base64"),
    });
    await untilObserved(client, () => observed.mutating && observed.validating);
  } catch (error) {
    await close();
    throw error;
  }
  return { handler, [Symbol.asyncDispose]: close };
}

/** Calls it for the namespace of the test only: other tests use the same server. */
function confined(webhook: Webhook, namespace: string): Webhook {
  const { settings } = webhook;
  const { matchLabels = {}, ...selector } = settings.namespaceSelector ?? {};
  const own = { ...selector, matchLabels: { ...matchLabels, "kubernetes.io/metadata.name": namespace } };
  return { ...webhook, settings: { ...settings, namespaceSelector: own } };
}

/** Called for probes only. */
function probe(observed: { mutating: boolean; validating: boolean }): Webhook {
  return rawWebhook({
    name: "kubewright-probe",
    rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
    objectSelector: { matchLabels: { [probeLabel]: "true" } },
    default: () => {
      observed.mutating = true;
    },
    validate: () => {
      observed.validating = true;
    },
  });
}

async function untilObserved(client: Client, isObserved: () => boolean): Promise<void> {
  const deadlineMs = systemClock.monotonic() + observedWithinMs;
  const metadata = { name: "webhook-probe", labels: { [probeLabel]: "true" } };
  for (;;) {
    await client.create(ConfigMap, { metadata }, { dryRun: true });
    if (isObserved()) return;
    if (systemClock.monotonic() > deadlineMs)
      throw new OperatorError(
        "WAIT_TIMEOUT",
        "Cannot start the test cluster: the API server does not call the webhooks",
      );
    await sleep(systemClock, probeEveryMs);
  }
}
