import { type AnyKind, isResource, type Operator } from "kubewright";
import type { ResourceDefinition } from "kubewright/crd";

type DefinedKind = AnyKind & { readonly definition: ResourceDefinition };

/** The kinds of the operator that `defineResource` made: those that it reconciles, and those of other projects that it reads or writes. */
export function definedKinds({ controllers, rawControllers, webhooks }: Operator): readonly DefinedKind[] {
  const admitted = webhooks.flatMap(({ kind, uses }) => [
    ...(kind === undefined ? [] : [kind]),
    ...uses.map((use) => use.kind),
  ]);
  const others = [...controllers, ...rawControllers]
    .flatMap(({ children, uses, watches }) => [...children, ...uses, ...watches].map(({ kind }) => kind))
    .concat(admitted)
    .filter(({ cluster }) => cluster === undefined);
  return [...controllers.map(({ kind }) => kind), ...others].filter((kind) => isResource(kind));
}
