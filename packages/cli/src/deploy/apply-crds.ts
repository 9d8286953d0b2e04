import { OperatorError } from "@kubewright/core/errors";
import type { JsonObject } from "@kubewright/core/json";
import { type Client, waitFor } from "kubewright";
import { fieldChanges } from "kubewright/client";
import { switchClientConfig, unsafeChanges } from "kubewright/crd";
import { CustomResourceDefinition } from "kubewright/k8s/apiextensions/v1";
import type { AppliedObject } from "../apply-set/index.js";

/** How CRDs are applied. */
export interface ApplyCrdsOptions {
  readonly dryRun: boolean;
  readonly report: (applied: AppliedObject) => void;
  readonly signal: AbortSignal | undefined;
}

/**
 * Applies CRDs with server-side apply and waits until they are served. Rejects with DEFINITION_INVALID, before anything is applied, when existing objects
 * or clients would lose something.
 */
export async function applyCrds(
  client: Client,
  crds: readonly JsonObject[],
  { dryRun, report, signal }: ApplyCrdsOptions,
): Promise<void> {
  const befores = new Map<string, JsonObject>();
  for (const crd of crds) {
    const before = await client.find(CustomResourceDefinition, crdName(crd));
    if (before === undefined) continue;
    befores.set(crdName(crd), before as unknown as JsonObject);
    const losses = unsafeChanges(before as never, crd as never);
    if (losses.length > 0)
      throw new OperatorError(
        "DEFINITION_INVALID",
        `Cannot apply CustomResourceDefinition "${crdName(crd)}": ${losses.join("; ")}`,
      );
  }
  for (const crd of crds) {
    const name = crdName(crd);
    const before = befores.get(name);
    const how = { fieldManager: "kubewright", dryRun, ...(signal && { signal }) };
    const switched = await switchClientConfig(client, crd as never, how);
    // After a dry run the server still has the other clientConfig, and would reject both.
    const after =
      dryRun && switched
        ? switched
        : await client.apply(CustomResourceDefinition, crd as never, { ...how, force: true });
    // The server writes the status after the response.
    const changes = before
      ? fieldChanges(before, after as unknown as JsonObject, { values: true }).filter(
          ({ path }) => !path.startsWith(".status"),
        )
      : [];
    const result = before === undefined ? "created" : changes.length > 0 ? "configured" : "unchanged";
    report({ object: `customresourcedefinition.apiextensions.k8s.io/${name}`, result, changes });
    if (dryRun) continue;
    await waitFor(client, CustomResourceDefinition, name, {
      timeout: "30s",
      ...(signal && { signal }),
      until: (crd) =>
        crd?.status?.conditions?.some(({ type, status }) => type === "Established" && status === "True") === true,
    });
  }
}

/** The name of a CRD. */
export function crdName({ metadata }: JsonObject): string {
  return String((metadata as JsonObject)["name"]);
}
