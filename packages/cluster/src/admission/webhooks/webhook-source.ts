import type { JsonObject } from "@kubewright/core/json";
import type { Authorizer } from "../../access/index.js";
import type { Registry, Resource } from "../../registry/index.js";
import type { WebhookCaller } from "../../webhook-client/index.js";
import { concerns, type MatchContext, matchContext } from "../matching/index.js";
import { type Webhook, webhooksOf } from "./webhook.js";

/** What the webhook plugins need. */
export interface WebhookDependencies {
  readonly registry: Registry;
  readonly caller: WebhookCaller;
  readonly authorizer: Authorizer;
}

/** The webhooks of all stored configurations of a kind, sorted by configuration name, then as listed. */
export class WebhookSource {
  readonly context: MatchContext;
  readonly #registry: Registry;
  readonly #bucket: string;
  #webhooks: readonly Webhook[] | undefined;
  #generation = -1;
  readonly #byConfiguration = new WeakMap<JsonObject, readonly Webhook[]>();
  readonly #byResource = new Map<Resource, readonly Webhook[]>();

  constructor(registry: Registry, bucket: string) {
    this.#registry = registry;
    this.#bucket = bucket;
    this.context = matchContext(registry);
    registry.store.listen((changed) => {
      if (changed === bucket) this.#webhooks = undefined;
    });
  }

  /** The webhooks whose rules name the resource or an equivalent one. A request may still not match them. */
  concerning(resource: Resource): readonly Webhook[] {
    const { generation } = this.#registry;
    if (this.#webhooks === undefined || this.#generation !== generation) {
      const records = this.#registry.store.bucket(this.#bucket).list();
      this.#webhooks = records.flatMap(({ object }) => this.#parsed(object));
      this.#generation = generation;
      this.#byResource.clear();
    }
    if (this.#webhooks.length === 0) return none;
    let found = this.#byResource.get(resource);
    if (found === undefined) {
      found = this.#webhooks.filter(({ criteria }) => concerns(criteria, resource, this.context));
      this.#byResource.set(resource, found);
    }
    return found;
  }

  /** The index of a webhook among all of the kind, whatever resources they concern. */
  indexOf(webhook: Webhook): number {
    return this.#webhooks?.indexOf(webhook) ?? -1;
  }

  #parsed(configuration: JsonObject): readonly Webhook[] {
    const webhooks = this.#byConfiguration.get(configuration) ?? webhooksOf(configuration);
    this.#byConfiguration.set(configuration, webhooks);
    return webhooks;
  }
}

const none: readonly Webhook[] = [];
