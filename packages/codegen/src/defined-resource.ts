import type { ResourceDefinition } from "kubewright/crd";

/** A kind that was made by `defineResource`. */
export interface DefinedResource {
  readonly definition: ResourceDefinition;
}
