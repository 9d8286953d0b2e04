import type { Logger } from "@kubewright/core/log";
import { type AnyKind, isResource } from "../definition/index.js";
import { type InstallOptions, installCRDs, type StartInstallOptions } from "./install-crds.js";
import { migrateStored } from "./migrate-stored.js";

/** Installs the CRDs of a starting operator, and migrates stored objects where configured; logs its progress. */
export async function installAtStart(
  kinds: readonly AnyKind[],
  settings: true | StartInstallOptions,
  options: Omit<InstallOptions, keyof StartInstallOptions> & { readonly logger: Logger },
): Promise<void> {
  const { migrateStored: migrates = false, ...how } = settings === true ? {} : settings;
  const { client, clock, fieldManager, logger, signal } = options;
  await installCRDs(kinds, { ...how, client, clock, fieldManager, ...(signal && { signal }) });
  if (!migrates) return;
  for (const kind of new Map(kinds.filter(isResource).map((one) => [one.definition, one])).values())
    await migrateStored(kind, {
      client,
      onProgress: (progress) => logger.info({ ...progress }, "Migrating stored objects"),
      ...(signal && { signal }),
    });
}
