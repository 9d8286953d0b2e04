import type { Clock } from "@kubewright/core/clock";
import type { Client, Operator } from "kubewright";
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "kubewright/k8s/admissionregistration/v1";
import { Deployment } from "kubewright/k8s/apps/v1";
import { SubjectAccessReview } from "kubewright/k8s/authorization/v1";
import { Lease } from "kubewright/k8s/coordination/v1";
import { Role } from "kubewright/k8s/rbac/v1";
import { webhookNames } from "kubewright/webhook";
import { hasOnlySimulatedNodes } from "../deploy/index.js";
import { type Check, type CheckResult, ok } from "./check.js";

/** The checks of a deployed operator. Without a Deployment all but the first are skipped. */
export function deploymentChecks(
  client: Client,
  operator: Operator,
  { namespace, clock }: { readonly namespace: string; readonly clock: Clock },
): Check[] {
  const key = { namespace, name: operator.name };
  const deployed = async (check: () => Promise<CheckResult>): Promise<CheckResult> =>
    (await client.find(Deployment, key)) === undefined ? { status: "skipped", detail: "not deployed" } : check();
  return [
    { name: "Deployment", run: () => available(client, key) },
    { name: "permissions", run: () => deployed(() => permissions(client, operator, namespace)) },
    ...(operator.webhooks.length > 0
      ? [{ name: "webhooks", run: () => deployed(() => webhooks(client, operator)) }]
      : []),
    { name: "leader election", run: () => deployed(() => lease(client, key, clock)) },
  ];
}

async function available(
  client: Client,
  key: { readonly namespace: string; readonly name: string },
): Promise<CheckResult> {
  const found = await client.find(Deployment, key);
  if (found === undefined)
    return {
      status: "warning",
      detail: `not deployed in the namespace "${key.namespace}"`,
      remedy: "kubewright deploy --image ..., or -n for another namespace",
    };
  const { availableReplicas = 0, conditions = [] } = found.status ?? {};
  const { replicas = 1 } = found.spec;
  if (availableReplicas >= replicas) return ok(`${availableReplicas} of ${replicas} replicas available`);
  const why = conditions.find(({ status, message }) => status === "False" && message)?.message ?? "";
  return {
    status: "failed",
    detail: `${availableReplicas} of ${replicas} replicas available${why === "" ? "" : `: ${why}`}`,
    remedy: `kubectl -n ${key.namespace} describe deployment ${key.name}, and its logs`,
  };
}

/** Asks the server about every verb that the operator declares, for its ServiceAccount: in its namespace where it was deployed with --namespaced. */
async function permissions(client: Client, operator: Operator, namespace: string): Promise<CheckResult> {
  const isNamespaced = (await client.find(Role, { namespace, name: operator.name })) !== undefined;
  const user = `system:serviceaccount:${namespace}:${operator.name}`;
  const groups = ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"];
  const questions = operator
    .rules()
    .flatMap(({ apiGroups, resources, verbs, resourceNames = [""] }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((path) =>
          verbs.flatMap((verb) => resourceNames.map((name) => ({ group, path, verb, name }))),
        ),
      ),
    );
  const answers = await Promise.all(
    questions.map(async ({ group, path, verb, name }) => {
      const [resource = "", subresource = ""] = path.split("/");
      const where = isNamespaced ? { namespace } : {};
      const resourceAttributes = { ...where, group, resource, subresource, verb, name };
      const { status } = await client.create(SubjectAccessReview, {
        spec: { user, groups, resourceAttributes },
      } as never);
      return status?.allowed === true ? [] : [`${verb} ${path}${group === "" ? "" : `.${group}`}`];
    }),
  );
  const missing = answers.flat();
  if (missing.length === 0)
    return ok(`ServiceAccount "${operator.name}" may do all ${questions.length} that it declares`);
  return {
    status: "failed",
    detail: `ServiceAccount "${operator.name}" may not ${missing.slice(0, 3).join(", ")}${missing.length > 3 ? ` and ${missing.length - 3} more` : ""}`,
    remedy: "kubewright deploy again",
  };
}

async function webhooks(client: Client, { name, webhooks: declared }: Operator): Promise<CheckResult> {
  const names = webhookNames(name);
  const wanted = [
    ...(declared.some(({ mutating }) => mutating) ? [[MutatingWebhookConfiguration, names.mutating] as const] : []),
    ...(declared.some(({ validating }) => validating)
      ? [[ValidatingWebhookConfiguration, names.validating] as const]
      : []),
  ];
  for (const [kind, configuration] of wanted) {
    const found = await client.find(kind, configuration);
    if (found === undefined)
      return {
        status: "failed",
        detail: `${kind.kind} "${configuration}" is missing: webhooks are not called`,
        remedy: "kubewright deploy again",
      };
    const without = (found.webhooks ?? []).filter(({ clientConfig }) => !clientConfig.caBundle);
    if (without.length > 0 && (await hasOnlySimulatedNodes(client)))
      return {
        status: "warning",
        detail: `${kind.kind} "${configuration}" has no caBundle: the operator writes it, and no container runs on simulated nodes`,
        remedy: "kubewright dev, which serves the webhooks of the embedded cluster",
      };
    if (without.length > 0)
      return {
        status: "failed",
        detail: `${kind.kind} "${configuration}" has no caBundle: requests that it matches are rejected`,
        remedy: "the operator writes it when it starts: see its log; with cert-manager: is it running?",
      };
  }
  return ok(`${wanted.length} configurations with a CA`);
}

async function lease(
  client: Client,
  key: { readonly namespace: string; readonly name: string },
  clock: Clock,
): Promise<CheckResult> {
  const found = await client.find(Lease, key);
  if (found === undefined)
    return { status: "skipped", detail: "no Lease: it runs without --leader-elect, or has not started" };
  const { holderIdentity = "", renewTime, leaseDurationSeconds = 15 } = found.spec ?? {};
  if (holderIdentity === "" || !renewTime) return ok("no replica leads now: the last one released its Lease");
  const ageSeconds = Math.round((clock.now() - Date.parse(renewTime)) / 1_000);
  if (ageSeconds <= leaseDurationSeconds) return ok(`${holderIdentity} leads, renewed ${ageSeconds} s ago`);
  return {
    status: "failed",
    detail: `${holderIdentity} leads and has not renewed its Lease for ${ageSeconds} s`,
    remedy:
      "no replica runs, or none can reach the API server: see its Pods; compare the clocks of this machine and of the nodes",
  };
}
