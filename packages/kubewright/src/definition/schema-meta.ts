import { OperatorError } from "@kubewright/core/errors";
import { normaliseJson } from "@kubewright/core/json";
import { metaWords, type Schema } from "@kubewright/core/schema";
import type { AnySchema } from "./zod-definition.js";

const knownKeywords: ReadonlySet<string> = new Set(metaWords);

/** Keys of zod and of other tools that an API server does not know. */
const ignored: ReadonlySet<string> = new Set(["id", "description", "deprecated", "examples"]);

/**
 * The schema with the keywords of `.meta()` added: list types, rules, formats.
 *
 * Throws DEFINITION_INVALID for an unknown `x-kubernetes-` extension: a misspelt one would have no effect.
 */
export function withMeta(schema: AnySchema, converted: Schema, path: string): Schema {
  const meta = metaOf(schema);
  if (meta === undefined) return converted;
  const added: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(meta)) {
    if (knownKeywords.has(key)) added[key] = normaliseJson(value);
    else if (key.startsWith("x-kubernetes-") && !ignored.has(key))
      throw new OperatorError(
        "DEFINITION_INVALID",
        `Cannot express "${key}" at "${path}" in a CustomResourceDefinition: Kubernetes has no such extension`,
      );
  }
  return { ...converted, ...added };
}

function metaOf(schema: AnySchema): Readonly<Record<string, unknown>> | undefined {
  const read = (schema as { readonly meta?: () => unknown }).meta;
  const meta = typeof read === "function" ? read.call(schema) : undefined;
  return typeof meta === "object" && meta !== null ? (meta as Readonly<Record<string, unknown>>) : undefined;
}
