import type { Client, WriteOptions } from "../client/index.js";
import { type AnyKind, besides, type crdOf } from "../definition/index.js";
import { CustomResourceDefinition } from "../k8s/apiextensions/v1.gen.js";

/**
 * Replaces how a CRD's conversion webhook is found where that changes between a URL and a Service. Server-side apply would keep the one that another field
 * manager set, and the server accepts one of them. Resolves with the CRD, or undefined where nothing had to change. `cluster` is a
 * kind of the cluster that it is in.
 */
export async function switchClientConfig(
  client: Client,
  definition: ReturnType<typeof crdOf>,
  { cluster, ...options }: WriteOptions & { readonly cluster?: AnyKind } = {},
): Promise<object | undefined> {
  const wanted = definition.spec.conversion?.webhook?.clientConfig;
  if (wanted === undefined) return undefined;
  const { signal } = options;
  const at = cluster === undefined ? CustomResourceDefinition : besides(cluster, CustomResourceDefinition);
  const served = await client.find(at, definition.metadata.name, signal && { signal });
  const found = served?.spec.conversion?.webhook?.clientConfig;
  const other = wanted.url === undefined ? found?.url : found?.service;
  if (other === undefined) return undefined;
  // The CA belongs to the other one.
  const clientConfig = { caBundle: null, ...wanted, [wanted.url === undefined ? "url" : "service"]: null };
  const merge = { spec: { conversion: { webhook: { clientConfig } } } };
  return client.patch(at, definition.metadata.name, { merge } as never, options);
}
