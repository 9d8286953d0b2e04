import { isNotFound } from "@kubewright/core/errors";
import type { ObjectKey } from "@kubewright/core/identity";
import { Binding, nameOfKey, type ObjectPatch, resolveName } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import type { ContextDeleteOptions } from "./context-types.js";
import type { RunScope } from "./run-scope.js";
import type { MayVerb } from "./uses.js";

type Name = string | { readonly name: string; readonly namespace?: string };

/** Writes of one run to objects that its owner does not own. Names without a namespace mean that of the run's object. */
export class Actions {
  readonly #scope: Pick<RunScope, "access" | "client" | "environment">;
  readonly #fieldManager: string;
  readonly #namespace: string;

  constructor(scope: Pick<RunScope, "access" | "client" | "environment">, fieldManager: string, namespace: string) {
    this.#scope = scope;
    this.#fieldManager = fieldManager;
    this.#namespace = namespace;
  }

  async patch<C extends AnyKind>(kind: C, name: Name, patch: ObjectPatch): Promise<ReadOf<C>> {
    return this.#scope.client.patch(kind, this.#named("patch", kind, name), patch, this.#write());
  }

  async patchStatus<C extends AnyKind>(kind: C, name: Name, patch: ObjectPatch): Promise<ReadOf<C>> {
    return this.#scope.client.patchStatus(kind, this.#named("patchStatus", kind, name), patch, this.#write());
  }

  async delete(kind: AnyKind, name: Name, options: ContextDeleteOptions = {}): Promise<void> {
    const { client, environment } = this.#scope;
    const { uid, ...how } = options;
    const preconditions = uid === undefined ? {} : { preconditions: { uid } };
    try {
      const where = this.#named("delete", kind, name);
      await client.delete(kind, where, {
        signal: environment.requestSignal,
        propagationPolicy: "Background",
        ...how,
        ...preconditions,
      });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  async evict(kind: AnyKind, name: Name): Promise<void> {
    const pod = this.#named("evict", kind, name);
    await this.#scope.client.live.evict(pod as never, { signal: this.#scope.environment.requestSignal });
  }

  async bind(kind: AnyKind, name: Name, node: string): Promise<void> {
    const key = this.#key("bind", kind, name);
    const target = { apiVersion: "v1", kind: "Node", name: node };
    const body = { apiVersion: "v1", kind: "Binding", metadata: key, target };
    const binding = this.#scope.client.live.subresource(kind, nameOfKey(key), "binding", Binding);
    await binding.create(body as never, this.#write());
  }

  #named(verb: MayVerb, kind: AnyKind, name: Name): ReturnType<typeof nameOfKey> {
    return nameOfKey(this.#key(verb, kind, name));
  }

  #key(verb: MayVerb, kind: AnyKind, name: Name): ObjectKey {
    this.#scope.access.mustAllow(verb, kind);
    return resolveName(kind, name, this.#namespace);
  }

  #write(): { readonly fieldManager: string; readonly signal: AbortSignal } {
    return { fieldManager: this.#fieldManager, signal: this.#scope.environment.requestSignal };
  }
}
