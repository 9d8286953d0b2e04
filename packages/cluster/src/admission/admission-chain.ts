import {
  type Admission,
  type AdmissionRequest,
  andThen,
  type Eventually,
  type Registry,
  type Resource,
} from "../registry/index.js";
import type { AdmissionContext, AdmissionPlugin } from "./plugin.js";
import { ResourceQuotaPlugin } from "./resource-quota.js";

/** Runs the mutating and later the validating admission plugins in order; ResourceQuota comes last. */
export class AdmissionChain implements Admission {
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #context: AdmissionContext;
  readonly #quota: ResourceQuotaPlugin;
  readonly #byResource = new Map<string, readonly AdmissionPlugin[]>();

  constructor(registry: Registry, plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins;
    this.#context = { store: registry.store };
    this.#quota = new ResourceQuotaPlugin(registry);
  }

  mayWait(resource: Resource): boolean {
    return this.#for(resource).some(({ mayWait }) => mayWait === true);
  }

  mutate(request: AdmissionRequest): Eventually<void> {
    return this.#run("mutate", request, 0);
  }

  validate(request: AdmissionRequest): Eventually<void> {
    return this.#run("validate", request, 0);
  }

  reserve(request: AdmissionRequest): (() => void) | undefined {
    return this.#quota.reserve(request);
  }

  #run(phase: "mutate" | "validate", request: AdmissionRequest, from: number): Eventually<void> {
    const plugins = this.#for(request.resource);
    for (let index = from; index < plugins.length; index++) {
      const pending = plugins[index]?.[phase]?.(request, this.#context);
      if (pending !== undefined) return andThen(pending, () => this.#run(phase, request, index + 1));
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
