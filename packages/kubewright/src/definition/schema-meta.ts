import { OperatorError } from "@kubewright/core/errors";
import { normaliseJson } from "@kubewright/core/json";
import { metaWords, type Schema } from "@kubewright/core/schema";
import type { AnySchema } from "./zod-definition.js";

const spoken: ReadonlySet<string> = new Set(metaWords);

/** Words of zod's own, and of tools beside us, that mean nothing to a server. */
const ignored: ReadonlySet<string> = new Set(["id", "description", "deprecated", "examples"]);

/**
 * The schema with what `.meta()` adds to it: list types, rules, formats and the like.
 *
 * Throws DEFINITION_INVALID for an extension of Kubernetes that there is not, because it is misspelt and would have no effect.
 */
export function withMeta(schema: AnySchema, converted: Schema, path: string): Schema {
  const meta = metaOf(schema);
  if (meta === undefined) return converted;
  const added: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(meta)) {
    if (spoken.has(key)) added[key] = normaliseJson(value);
    else if (key.startsWith("x-kubernetes-") && !ignored.has(key))
      throw new OperatorError(
        "DEFINITION_INVALID",
        `Cannot express "${key}" at "${path}" in a CustomResourceDefinition: there is no such extension`,
      );
  }
  return { ...converted, ...added };
}

function metaOf(schema: AnySchema): Readonly<Record<string, unknown>> | undefined {
  const read = (schema as { readonly meta?: () => unknown }).meta;
  const meta = typeof read === "function" ? read.call(schema) : undefined;
  return typeof meta === "object" && meta !== null ? (meta as Readonly<Record<string, unknown>>) : undefined;
}
