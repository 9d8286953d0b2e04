import { isJsonObject } from "@kubewright/core/json";
import type { AnyKind } from "../definition/index.js";

/**
 * A Secret with its `stringData` in `data`, in base64, as the server stores it; other objects, and a `stringData` that the server rejects, as they are.
 *
 * Field ownership covers what was sent: a key that was sent in `stringData` and is no longer applied would stay in `data`, which no manager owns.
 */
export function withEncodedData<T extends object>(kind: AnyKind, object: T): T {
  if (kind.kind !== "Secret" || kind.group !== "" || !("stringData" in object)) return object;
  const { stringData, ...rest } = object as { readonly stringData?: unknown; readonly data?: unknown };
  if (!isJsonObject(stringData ?? {}) || !isJsonObject(rest.data ?? {})) return object;
  const given = Object.entries(stringData ?? {}).filter(([, value]) => value !== undefined);
  if (!given.every(([, value]) => typeof value === "string")) return object;
  if (given.length === 0) return rest as T;
  const encoded = given.map(([key, value]) => [key, Buffer.from(String(value), "utf8").toString("base64")]);
  // The server lets `stringData` win.
  return { ...rest, data: { ...(rest.data as object | undefined), ...Object.fromEntries(encoded) } } as T;
}
