import { isNotFound } from "@kubewright/core/errors";
import type { ObjectKey, ObjectMeta } from "@kubewright/core/identity";
import {
  Binding,
  Eviction,
  type ExecResult,
  type LogOptions,
  type NewObject,
  nameOfKey,
  type ObjectPatch,
  objectMeta,
  type PodKind,
  resolveName,
  type Scale,
  TokenRequest,
  type TokenRequestSpec,
  type WrittenObject,
} from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import type { AnyController } from "./cached-kinds.js";
import type { ContextDeleteOptions, ContextExecOptions, ServiceAccountToken } from "./context-types.js";
import type { Run } from "./run.js";
import { withEncodedData } from "./secret-data.js";
import type { MayVerb } from "./uses.js";

type Name = string | { readonly name: string; readonly namespace?: string };

/** Writes of one run to objects that its owner does not own. Names without a namespace mean that of the run's object. */
export class Actions {
  readonly #run: Run<AnyController>;
  readonly #namespace: string;

  constructor(run: Run<AnyController>, namespace: string) {
    this.#run = run;
    this.#namespace = namespace;
  }

  /** Server-side apply with `force`. */
  async apply<C extends AnyKind>(kind: C, object: WrittenObject<C>): Promise<ReadOf<C>> {
    const { access, client } = this.#run.services;
    access.mustAllow("create", kind);
    access.mustAllow("patch", kind);
    this.#reportNamed("apply", kind, object);
    return client.apply(kind, withEncodedData(kind, object), { ...this.#write(), force: true });
  }

  async create<C extends AnyKind>(kind: C, object: NewObject<C>): Promise<ReadOf<C>> {
    const { access, client } = this.#run.services;
    access.mustAllow("create", kind);
    this.#reportNamed("create", kind, object);
    return client.create(kind, withEncodedData(kind, object), this.#write());
  }

  async patch<C extends AnyKind>(kind: C, name: Name, patch: ObjectPatch<C>): Promise<ReadOf<C>> {
    return this.#run.services.client.patch(kind, this.#named("patch", kind, name), patch, this.#write());
  }

  async patchStatus<C extends AnyKind>(kind: C, name: Name, patch: ObjectPatch<C>): Promise<ReadOf<C>> {
    return this.#run.services.client.patchStatus(kind, this.#named("patchStatus", kind, name), patch, this.#write());
  }

  async delete(kind: AnyKind, name: Name, options: ContextDeleteOptions = {}): Promise<void> {
    const { client } = this.#run.services;
    const { uid, ...how } = options;
    const preconditions = uid === undefined ? {} : { preconditions: { uid } };
    try {
      const where = this.#named("delete", kind, name);
      await client.delete(kind, where, {
        signal: this.#run.requestSignal,
        propagationPolicy: "Background",
        ...how,
        ...preconditions,
      });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  async evict(kind: AnyKind, name: Name): Promise<void> {
    const key = this.#key("evict", kind, name);
    // `evict` of the client knows the Pods of its own cluster only.
    const eviction = this.#run.services.client.live.subresource(kind, nameOfKey(key), "eviction", Eviction);
    await eviction.create({}, this.#signal());
  }

  async update<C extends AnyKind>(kind: C, object: WrittenObject<C>): Promise<ReadOf<C>> {
    const { access, client } = this.#run.services;
    access.mustAllow("update", kind);
    return client.update(kind, withEncodedData(kind, object), this.#write());
  }

  async scale(kind: AnyKind, name: Name, replicas: number): Promise<ReadOf<typeof Scale>> {
    return this.#run.services.client.live.scale(kind, this.#named("scale", kind, name), replicas, this.#write());
  }

  async getScale(kind: AnyKind, name: Name): Promise<ReadOf<typeof Scale>> {
    return this.#run.services.client.live.getScale(kind, this.#named("scale", kind, name), this.#signal());
  }

  async logs(kind: PodKind, name: Name, options: LogOptions = {}): Promise<string> {
    const pod = this.#named("log", kind, name);
    return this.#run.services.client.live.logs(kind, pod, { ...options, ...this.#signal() });
  }

  async exec(kind: PodKind, name: Name, options: ContextExecOptions): Promise<ExecResult> {
    const pod = this.#named("exec", kind, name);
    return this.#run.services.client.live.exec(kind, pod, { ...options, ...this.#signal() });
  }

  async token(kind: AnyKind, name: Name, spec: Partial<TokenRequestSpec>): Promise<ServiceAccountToken> {
    const account = this.#named("token", kind, name);
    const request = this.#run.services.client.live.subresource(kind, account, "token", TokenRequest);
    const { status } = await request.create({ spec }, this.#signal());
    return status;
  }

  async bind(kind: AnyKind, name: Name, node: string): Promise<void> {
    const key = this.#key("bind", kind, name);
    const target = { apiVersion: "v1", kind: "Node", name: node };
    const body = { apiVersion: "v1", kind: "Binding", metadata: key, target };
    const binding = this.#run.services.client.live.subresource(kind, nameOfKey(key), "binding", Binding);
    await binding.create(body as never, this.#write());
  }

  #reportNamed(verb: string, kind: AnyKind, object: object): void {
    const { name, generateName = "", namespace } = objectMeta(object) as Partial<ObjectMeta>;
    const key = {
      namespace: kind.scope === "Cluster" ? "" : (namespace ?? this.#namespace),
      name: name ?? generateName,
    };
    this.#run.reportWrite(kind, key, verb);
  }

  #signal(): { readonly signal: AbortSignal } {
    return { signal: this.#run.requestSignal };
  }

  #named(verb: MayVerb, kind: AnyKind, name: Name): ReturnType<typeof nameOfKey> {
    return nameOfKey(this.#key(verb, kind, name));
  }

  #key(verb: MayVerb, kind: AnyKind, name: Name): ObjectKey {
    this.#run.services.access.mustAllow(verb, kind);
    const key = resolveName(kind, name, this.#namespace);
    this.#run.reportWrite(kind, key, verb);
    return key;
  }

  #write(): { readonly fieldManager: string; readonly signal: AbortSignal } {
    return { fieldManager: this.#run.services.controller.fieldManager, signal: this.#run.requestSignal };
  }
}
