import type { ResourceDefinition } from "kubewright";

/** A kind that was made by `defineResource`. */
export interface DefinedResource {
  readonly definition: ResourceDefinition;
}
