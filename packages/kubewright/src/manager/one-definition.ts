import { OperatorError } from "@kubewright/core/errors";
import { type AnyKind, isResource, type ResourceDefinition } from "../definition/index.js";
import type { AnyController } from "../reconcile/index.js";
import type { Webhook } from "../webhook/index.js";

/** Throws CONFIG_INVALID when the parts of an operator use two definitions of one CRD: one of them would overwrite the other. */
export function requireOneDefinition(
  operator: string,
  controllers: readonly AnyController[],
  webhooks: readonly Webhook[],
): void {
  const known = new Map<string, ResourceDefinition>();
  for (const kind of [...controllers.flatMap(kindsOf), ...webhooks.flatMap(({ kind }) => kind ?? [])]) {
    if (!isResource(kind)) continue;
    const crd = `${kind.plural}.${kind.group}`;
    const before = known.get(crd) ?? kind.definition;
    known.set(crd, before);
    if (before === kind.definition) continue;
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot make operator "${operator}": it has two definitions of the CustomResourceDefinition "${crd}"; define the resource once, and import that`,
    );
  }
}

function kindsOf({ kind, children, uses, watches }: AnyController): readonly AnyKind[] {
  return [...(kind ? [kind] : []), ...[...children, ...uses, ...watches].map((declared) => declared.kind)];
}
