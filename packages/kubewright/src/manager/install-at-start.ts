import { sleep } from "@kubewright/core/clock";
import { isInternal } from "@kubewright/core/errors";
import type { Logger } from "@kubewright/core/log";
import { type AnyKind, isResource } from "../definition/index.js";
import { type InstallOptions, installCRDs, type StartInstallOptions } from "./install-crds.js";
import { type MigrationProgress, migrateStored } from "./migrate-stored.js";

/** How long and how often a migration is repeated while the server cannot convert. */
const conversionTimeoutMs = 120_000;
const retryPeriodMs = 1_000;

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
  const owned = kinds.filter(isResource).filter(({ definition }) => !definition.external);
  const deadlineMs = clock.monotonic() + conversionTimeoutMs;
  for (const kind of new Map(owned.map((one) => [one.definition, one])).values()) {
    const migration = {
      client,
      onProgress: (progress: MigrationProgress) => logger.info({ ...progress }, "Migrating stored objects"),
      ...(signal && { signal }),
    };
    for (;;) {
      try {
        await migrateStored(kind, migration);
        break;
      } catch (err) {
        // The server calls this operator's own webhook, whose endpoints follow the start of the pod by some seconds.
        if (!isInternal(err) || clock.monotonic() >= deadlineMs) throw err;
        logger.warn({ err }, "Cannot migrate stored objects yet, will retry");
        await sleep(clock, retryPeriodMs, signal);
        signal?.throwIfAborted();
      }
    }
  }
}
