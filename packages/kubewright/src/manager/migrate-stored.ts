import { isConflict, isExpired, isNotFound, OperatorError } from "@kubewright/core/errors";
import { type Client, type ListPage, type MetadataOnlyKind, metadataOnly } from "../client/index.js";
import { type AnyKind, isResource } from "../definition/index.js";
import { CustomResourceDefinition } from "../k8s/apiextensions/v1.gen.js";

/** How stored objects are migrated. */
export interface MigrateOptions {
  /** Reads and writes the objects. */
  readonly client: Client;
  /** Called after each page. */
  readonly onProgress?: (progress: MigrationProgress) => void;
  /** How many objects are listed at a time. @default 500 */
  readonly pageSize?: number;
  /** How many objects are written at once. @default 8 */
  readonly atOnce?: number;
  /** Ends the migration, which can be repeated. */
  readonly signal?: AbortSignal;
}

/** The progress of a migration. */
export interface MigrationProgress {
  /** The name of the CustomResourceDefinition. */
  readonly definition: string;
  /** Objects that were written, or that another client wrote or deleted meanwhile. */
  readonly done: number;
  /** Objects that are left, where the server reports it. */
  readonly remaining: number | undefined;
}

/** What a migration did. */
export interface MigrationReport {
  /** Versions in which objects were stored before. */
  readonly from: readonly string[];
  /** The version in which all objects are stored now. */
  readonly to: string;
  readonly objects: number;
}

/**
 * Rewrites every stored object of a kind in the storage version of its CRD, and then removes the other versions from `status.storedVersions`,
 * so that they can be removed from the CRD.
 *
 * Each object is written without a change, which makes the server store it again. Can be interrupted and repeated at any time, and can run beside
 * other writers: an object that was changed or deleted meanwhile counts as migrated. Does nothing when there is nothing to migrate.
 *
 * Rejects when the CRD is not installed or the server rejects an object; `storedVersions` then stays as it is.
 *
 * @example
 * const { from, to, objects } = await migrateStored(Website, { client });
 */
export async function migrateStored(kind: AnyKind, options: MigrateOptions): Promise<MigrationReport> {
  if (!isResource(kind))
    throw new OperatorError(
      "DEFINITION_INVALID",
      `Cannot migrate ${kind.kind} objects: the kind was not made by defineResource`,
    );
  const name = `${kind.definition.plural}.${kind.definition.group}`;
  const { to, from, served } = await stateOf(name, options);
  if (from.length === 0) return { from, to, objects: 0 };
  const objects = await rewriteAll(metadataOnly({ ...kind, version: served }), name, options);
  await trim(name, to, options);
  return { from, to, objects };
}

interface StoredState {
  readonly to: string;
  readonly from: readonly string[];
  /** A version in which objects can be read and written. */
  readonly served: string;
  readonly resourceVersion: string;
}

async function stateOf(name: string, { client, signal }: MigrateOptions): Promise<StoredState> {
  const { spec, status, metadata } = await client.get(CustomResourceDefinition, name, signal && { signal });
  const to = spec.versions.find(({ storage }) => storage)?.name;
  const served =
    spec.versions.find((version) => version.served && version.storage) ??
    spec.versions.find((version) => version.served);
  if (to === undefined || served === undefined)
    throw new OperatorError("DEFINITION_INVALID", `Cannot migrate the objects of "${name}": it serves no version`);
  const from = (status?.storedVersions ?? []).filter((version) => version !== to);
  return { to, from, served: served.name, resourceVersion: metadata.resourceVersion };
}

async function rewriteAll(kind: MetadataOnlyKind, definition: string, options: MigrateOptions): Promise<number> {
  const { client, onProgress, pageSize: limit = 500, signal } = options;
  let done = 0;
  let page: ListPage<MetadataOnlyKind> | undefined;
  do {
    try {
      const next = page?.continue;
      page = await client.listPage(kind, {
        allNamespaces: true,
        limit,
        ...(next !== undefined && { continue: next }),
        ...(signal && { signal }),
      });
    } catch (error) {
      // The continue token expired: restart from the first page; writing an object again changes nothing.
      if (!isExpired(error) || page === undefined) throw error;
      page = undefined;
      done = 0;
      continue;
    }
    await rewrite(kind, page, options);
    done += page.items.length;
    onProgress?.({ definition, done, remaining: page.continue === undefined ? 0 : page.remainingItemCount });
  } while (page === undefined || page.continue !== undefined);
  return done;
}

async function rewrite(
  kind: MetadataOnlyKind,
  { items }: ListPage<MetadataOnlyKind>,
  options: MigrateOptions,
): Promise<void> {
  const { client, atOnce = 8, signal } = options;
  const left = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = left.next(); next.done !== true; next = left.next()) {
      const { name, namespace } = next.value.metadata;
      const target = namespace === undefined ? name : { name, namespace };
      await client.patch(kind, target as never, { merge: {} }, signal && { signal }).catch((error: unknown) => {
        // A changed object was stored in the new version by its writer; a deleted one needs no migration.
        if (!isConflict(error) && !isNotFound(error)) throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

const trimAttempts = 10;

/** Only while the storage version is the one that everything was written to: else objects may be stored in others again. */
async function trim(name: string, to: string, options: MigrateOptions): Promise<void> {
  const { client, signal } = options;
  for (let attempt = 1; ; attempt++) {
    const state = await stateOf(name, options);
    if (state.to !== to)
      throw new OperatorError(
        "DEFINITION_INVALID",
        `Cannot finish migrating the objects of "${name}": its storage version became "${state.to}" meanwhile`,
      );
    try {
      const merge = { metadata: { resourceVersion: state.resourceVersion }, status: { storedVersions: [to] } };
      await client.patchStatus(CustomResourceDefinition, name, { merge }, signal && { signal });
      return;
    } catch (error) {
      if (!isConflict(error) || attempt === trimAttempts) throw error;
    }
  }
}
