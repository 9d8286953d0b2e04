import type { Clock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { Client } from "../client/index.js";
import {
  type AnyKind,
  besides,
  type ConversionWebhook,
  crdOf,
  isResource,
  unsafeChanges,
} from "../definition/index.js";
import { CustomResourceDefinition } from "../k8s/apiextensions/v1.gen.js";
import { switchClientConfig } from "./switch-client-config.js";

/** How long a server may take until it serves a new CRD. */
const establishMs = 30_000;

/** How CRDs are installed. */
export interface InstallSettings {
  /** Also applies CRDs by which existing objects or clients lose something. @default false: such a change is rejected */
  readonly allowUnsafe?: boolean;
  /** Where the server finds the conversion webhook. Required for resources with `convert`. */
  readonly conversionWebhook?: ConversionWebhook;
}

/** How an operator installs its CRDs when it starts. */
export interface StartInstallOptions extends InstallSettings {
  /**
   * Then migrates stored objects to the storage version, before the controllers start: see `migrateStored`. Needs the permission of that name.
   * @default false
   */
  readonly migrateStored?: boolean;
}

/** What installing CRDs needs. */
export interface InstallOptions extends InstallSettings {
  /** Applies the CRDs. */
  readonly client: Client;
  /** Measures how long the server may take. */
  readonly clock: Clock;
  /** Owns the fields of the CRDs. */
  readonly fieldManager: string;
  /** Also installs resources that are defined with `external`: for tests, where no other project does. @default false */
  readonly includeExternal?: boolean;
  /** Ends the installation. */
  readonly signal?: AbortSignal;
}

/**
 * Applies the CustomResourceDefinitions of these kinds, and resolves once the server serves them.
 *
 * Skips kinds that `defineResource` did not make, and `external` ones, which another project installs. Rejects when the server rejects a CRD, and with DEFINITION_INVALID when its names are not
 * accepted, when it is not served within 30 s, and, before anything is applied, when existing objects or clients would lose something: another
 * scope, a removed version, a narrower schema (`allowUnsafe` turns that check off).
 *
 * @example
 * await installCRDs([Website], { client, clock: systemClock, fieldManager: "website-operator" });
 */
export async function installCRDs(kinds: readonly AnyKind[], options: InstallOptions): Promise<void> {
  const { includeExternal = false } = options;
  const resources = kinds
    .filter((kind) => isResource(kind))
    .filter(({ definition }) => includeExternal || !definition.external);
  // Versions of one kind share a definition; each cluster has its own copy.
  const byPlace = new Map(resources.map((kind) => [`${kind.cluster ?? ""} ${kind.plural}.${kind.group}`, kind]));
  const { conversionWebhook } = options;
  const definitions = [...byPlace.values()].map((kind) => {
    const definition = crdOf(kind, { conversionWebhook });
    if (kind.definition.conversions !== undefined && conversionWebhook === undefined)
      throw notServed(
        definition.metadata.name,
        "its versions are converted by functions; set where they are served with `conversionWebhook`",
      );
    return { definition, at: besides(kind, CustomResourceDefinition) };
  });
  if (options.allowUnsafe !== true)
    for (const { definition, at } of definitions) await refuseUnsafe(definition, at, options);
  await Promise.all(
    definitions.map(async ({ definition, at }) => {
      const { client, fieldManager, signal } = options;
      const how = { fieldManager, ...(signal && { signal }) };
      await switchClientConfig(client, definition, { ...how, cluster: at });
      await client.apply(at, definition, { ...how, force: true });
      await established(definition.metadata.name, at, options);
    }),
  );
}

async function refuseUnsafe(
  definition: ReturnType<typeof crdOf>,
  at: typeof CustomResourceDefinition,
  { client, signal }: InstallOptions,
): Promise<void> {
  const { name } = definition.metadata;
  const served = await client.find(at, name, signal && { signal });
  const problems = served === undefined ? [] : unsafeChanges(served, definition);
  if (problems.length === 0) return;
  const told = problems.length > 5 ? [...problems.slice(0, 5), `and ${problems.length - 5} more`] : problems;
  throw notServed(
    name,
    `existing objects would lose data: ${told.join("; ")}; migrate them first, or install it with \`allowUnsafe\``,
  );
}

async function established(
  name: string,
  at: typeof CustomResourceDefinition,
  { client, clock, signal }: InstallOptions,
): Promise<void> {
  const deadline = new AbortController();
  const timer = clock.startTimer(establishMs, () => deadline.abort());
  const either = signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal;
  try {
    const events = await client.watch(at, { fields: { "metadata.name": name }, signal: either });
    for await (const event of events) {
      if (event.type !== "ADDED" && event.type !== "MODIFIED") continue;
      const conditions = event.object.status?.conditions ?? [];
      const refused = conditions.find(({ type, status }) => type === "NamesAccepted" && status === "False");
      if (refused) throw notServed(name, refused.message ?? "its names are not accepted");
      if (conditions.some(({ type, status }) => type === "Established" && status === "True")) return;
    }
    throw notServed(name, "the server ended the watch on it");
  } catch (error) {
    if (deadline.signal.aborted)
      throw notServed(name, `the server did not establish it within ${establishMs / 1_000} s`);
    throw error;
  } finally {
    timer.cancel();
  }
}

function notServed(name: string, why: string): OperatorError {
  return new OperatorError("DEFINITION_INVALID", `Cannot install CustomResourceDefinition "${name}": ${why}`);
}
