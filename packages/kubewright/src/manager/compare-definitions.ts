import { isForbidden } from "@kubewright/core/errors";
import { isJsonObject } from "@kubewright/core/json";
import type { Logger } from "@kubewright/core/log";
import type { Schema } from "@kubewright/core/schema";
import type { Client } from "../client/index.js";
import {
  type AnyKind,
  besides,
  clusterPath,
  crdOf,
  isResource,
  prunedFields,
  type WithDefinition,
} from "../definition/index.js";
import { CustomResourceDefinition } from "../k8s/apiextensions/v1.gen.js";

/** The fields of a kind that the server does not store. */
export interface PrunedKind {
  /** As `group/version/Kind`. */
  readonly kind: string;
  /** Such as `.status.url`; at most twenty. */
  readonly fields: readonly string[];
}

/**
 * Compares the definitions of these kinds with what the server serves, and logs a warning for each kind of which the server would prune fields: its
 * CRD is older than the program.
 *
 * Compares with the OpenAPI document, which every client may read. The server updates it a moment after the CRD, so a difference is confirmed with the
 * CRD, where the operator may read it. A kind that cannot be compared is skipped: the check never fails.
 */
export async function compareDefinitions(
  kinds: readonly AnyKind[],
  { client, logger, signal }: { readonly client: Client; readonly logger: Logger; readonly signal: AbortSignal },
): Promise<readonly PrunedKind[]> {
  const pruned: PrunedKind[] = [];
  const defined = new Map(kinds.filter(isResource).map((kind) => [kind.id, kind]));
  for (const kind of defined.values()) {
    try {
      const own = schemaIn(crdOf(kind), kind.version);
      if (own === undefined || missing(own, await publishedSchema(kind, client, signal)).length === 0) continue;
      const fields = missing(own, await servedSchema(kind, client, signal));
      if (fields.length === 0) continue;
      pruned.push({ kind: kind.id, fields });
      logger.warn(
        { kind: kind.id, fields },
        "The server's CustomResourceDefinition is older than this program and prunes fields; apply the current one",
      );
    } catch (err) {
      if (!signal.aborted) logger.debug({ kind: kind.id, err }, "Cannot compare the CustomResourceDefinition");
    }
  }
  return pruned;
}

function missing(own: Schema, served: Schema | undefined): string[] {
  return served === undefined ? [] : prunedFields(own, served);
}

/** The schema in the CRD; the published one where the CRD may not be read. */
async function servedSchema(
  kind: AnyKind & WithDefinition,
  client: Client,
  signal: AbortSignal,
): Promise<Schema | undefined> {
  const { group, version, plural } = kind;
  try {
    const crd = await client.find(besides(kind, CustomResourceDefinition), `${plural}.${group}`, { signal });
    return crd && schemaIn(crd, version);
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return publishedSchema(kind, client, signal);
  }
}

/** The schema in the OpenAPI document. */
async function publishedSchema(
  kind: AnyKind & WithDefinition,
  client: Client,
  signal: AbortSignal,
): Promise<Schema | undefined> {
  const path = `${clusterPath(kind)}/openapi/v3/apis/${kind.group}/${kind.version}`;
  const { body } = await client.request({ method: "GET", path, signal });
  const components = isJsonObject(body) ? body["components"] : undefined;
  const schemas = isJsonObject(components) ? components["schemas"] : undefined;
  const isOurs = (schema: unknown): schema is Schema => {
    const names = isJsonObject(schema) ? schema["x-kubernetes-group-version-kind"] : undefined;
    return Array.isArray(names) && names.some((name) => isJsonObject(name) && name["kind"] === kind.kind);
  };
  return isJsonObject(schemas) ? (Object.values(schemas) as unknown[]).find(isOurs) : undefined;
}

/** What is read of a CRD, be it served or made from a definition. */
interface VersionedSchemas {
  readonly spec: {
    readonly versions: readonly {
      readonly name: string;
      readonly schema?: { readonly openAPIV3Schema?: unknown } | undefined;
    }[];
  };
}

function schemaIn({ spec }: VersionedSchemas, version: string): Schema | undefined {
  const schema = spec.versions.find(({ name }) => name === version)?.schema?.openAPIV3Schema;
  return isJsonObject(schema) ? (schema as Schema) : undefined;
}
