import { type AnyKind, isResource, type Operator } from "kubewright";
import type { ResourceDefinition } from "kubewright/crd";
import { isOperator } from "./exported-operator.js";

/** A kind that `defineResource` made. */
export type DefinedKind = AnyKind & { readonly definition: ResourceDefinition };

/** The custom resources of an operator, each once. */
export function resourcesOf({ controllers, webhooks }: Operator): readonly DefinedKind[] {
  const kinds = [...controllers.map(({ kind }) => kind), ...webhooks.flatMap(({ kind }) => kind ?? [])];
  return [...new Set(kinds.filter((kind) => isResource(kind)))];
}

/** Every custom resource that modules export, or that the operators that they export read or write, each once whatever its version. */
export function exportedResources(exported: readonly unknown[]): readonly DefinedKind[] {
  const kinds = exported.flatMap((value) => (isOperator(value) ? kindsOf(value) : isKind(value) ? [value] : []));
  const found = kinds.filter((kind) => isResource(kind));
  return found.filter(({ definition }, index) => found.findIndex((one) => one.definition === definition) === index);
}

/** Whether a module's export is a kind. */
export function isKind(value: unknown): value is AnyKind {
  return typeof value === "object" && value !== null && "plural" in value && "kind" in value;
}

function kindsOf(operator: Operator): AnyKind[] {
  const { controllers, rawControllers } = operator;
  return [
    ...resourcesOf(operator),
    ...controllers.flatMap(({ owns, manages }) => [...owns, ...manages]),
    ...[...controllers, ...rawControllers].flatMap(({ uses, watches }) => [
      ...uses.map(({ kind }) => kind),
      ...watches.map(({ kind }) => kind),
    ]),
  ];
}
