import { deepFreeze } from "@kubewright/core/json";
import { CachedClient, type CachedListOptions, type InformerSet } from "../cache/index.js";
import { type Client, nameOfKey, resolveName, untilAborted } from "../client/index.js";
import type { AnyKind } from "../definition/index.js";
import { Access, CachedKinds, type CacheReader } from "../reconcile/index.js";
import type { AdmissionReads, ReadName, ReadScope } from "./admission-reads.js";
import type { Webhook } from "./webhook.js";

/** Reads of webhooks from the caches of an operator, and from the server for live kinds. What a webhook did not declare is rejected. */
export class CachedReads implements AdmissionReads {
  readonly #declared: ReadonlyMap<Webhook, { readonly access: Access; readonly client: CachedClient }>;

  /** Starts to hold the informers of the webhooks' `uses`, until the set of informers stops. */
  constructor(webhooks: readonly Webhook[], informers: InformerSet, live: Client) {
    this.#declared = new Map(
      webhooks.map((webhook) => {
        const reader = readerOf(webhook);
        const kinds = new CachedKinds(reader);
        for (const { kind, selection } of kinds.all) informers.hold(kind, selection);
        const client = new CachedClient(live, informers, (kind, indexes) => kinds.readFrom(kind, indexes));
        return [webhook, { access: new Access(reader, "webhook"), client }];
      }),
    );
  }

  async get(kind: AnyKind, name: ReadName, scope: ReadScope): Promise<object> {
    const { access, client } = this.#of(scope);
    access.mustAllow("get", kind);
    const named = nameOfKey(resolveName(kind, name, scope.namespace));
    if (access.isCached(kind)) return untilAborted(client.get(kind, named), scope.signal);
    return deepFreeze(await client.live.get(kind, named, { signal: scope.signal }));
  }

  async find(kind: AnyKind, name: ReadName, scope: ReadScope): Promise<object | undefined> {
    const { access, client } = this.#of(scope);
    access.mustAllow("get", kind);
    const named = nameOfKey(resolveName(kind, name, scope.namespace));
    if (access.isCached(kind)) return untilAborted(client.find(kind, named), scope.signal);
    return deepFreeze(await client.live.find(kind, named, { signal: scope.signal }));
  }

  async list(kind: AnyKind, options: CachedListOptions, scope: ReadScope): Promise<readonly object[]> {
    const { access, client } = this.#of(scope);
    access.mustAllow("list", kind);
    const { namespace = scope.namespace, allNamespaces = false, ...selectors } = options;
    const where = { ...selectors, ...(allNamespaces || namespace === "" ? { allNamespaces: true } : { namespace }) };
    if (access.isCached(kind)) return untilAborted(client.list(kind, where), scope.signal);
    const { index: _, ...asked } = where;
    const objects: object[] = [];
    for await (const object of client.live.list(kind, { ...asked, signal: scope.signal }))
      objects.push(deepFreeze(object));
    return objects;
  }

  #of({ webhook }: ReadScope): { readonly access: Access; readonly client: CachedClient } {
    const declared = this.#declared.get(webhook);
    if (declared === undefined)
      throw new TypeError(`Cannot read in webhook "${webhook.name}": it is of another operator`);
    return declared;
  }
}

/** A webhook as what reads caches: it has `uses` only. */
export function readerOf({ name, uses }: Webhook): CacheReader {
  return { role: "raw", kind: undefined, name, children: [], uses, watches: [] };
}
