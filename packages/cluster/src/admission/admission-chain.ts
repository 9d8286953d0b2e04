import {
  type Admission,
  type AdmissionRequest,
  andThen,
  type Eventually,
  type Registry,
  type Resource,
} from "../registry/index.js";
import type { AdmissionContext, AdmissionPlugin } from "./plugin.js";
import { Reinvocation } from "./reinvocation.js";

/** Runs the mutating and later the validating part of the admission plugins in order; at most one of them reserves (ResourceQuota). */
export class AdmissionChain implements Admission {
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #context: AdmissionContext;
  readonly #reserving: AdmissionPlugin | undefined;
  readonly #byResource = new Map<string, readonly AdmissionPlugin[]>();

  constructor(registry: Registry, plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins;
    this.#context = { store: registry.store };
    this.#reserving = plugins.find(({ reserve }) => reserve !== undefined);
  }

  mayWait(resource: Resource): boolean {
    return this.#for(resource).some(({ mayWait }) => (typeof mayWait === "function" ? mayWait(resource) : mayWait));
  }

  mutate(request: AdmissionRequest): Eventually<void> {
    return this.#mutate(request, new Reinvocation(), 0);
  }

  validate(request: AdmissionRequest): Eventually<void> {
    return this.#validate(request, 0);
  }

  reserve(request: AdmissionRequest): (() => void) | undefined {
    return this.#reserving?.reserve?.(request);
  }

  #mutate(request: AdmissionRequest, reinvocation: Reinvocation, from: number): Eventually<void> {
    const plugins = this.#for(request.resource);
    for (let index = from; index < plugins.length; index++) {
      const pending = plugins[index]?.mutate?.(request, this.#context, reinvocation);
      if (pending !== undefined) return andThen(pending, () => this.#mutate(request, reinvocation, index + 1));
    }
    if (!reinvocation.isRequired) return;
    reinvocation.isReinvocation = true;
    return this.#mutate(request, reinvocation, 0);
  }

  #validate(request: AdmissionRequest, from: number): Eventually<void> {
    const plugins = this.#for(request.resource);
    for (let index = from; index < plugins.length; index++) {
      const pending = plugins[index]?.validate?.(request, this.#context);
      if (pending !== undefined) return andThen(pending, () => this.#validate(request, index + 1));
    }
  }

  #for({ bucket }: Resource): readonly AdmissionPlugin[] {
    let plugins = this.#byResource.get(bucket);
    if (plugins === undefined) {
      plugins = this.#plugins.filter(({ resources }) => resources?.includes(bucket) ?? true);
      this.#byResource.set(bucket, plugins);
    }
    return plugins;
  }
}
