import type { Operator } from "kubewright";

/** Whether the operator needs more than one namespace: it manages objects in others, or declares a cluster-scoped kind. */
export function spansNamespaces({ controllers, rawControllers }: Operator): boolean {
  return (
    controllers.some(({ kind, manages }) => kind.scope === "Cluster" || manages.length > 0) ||
    [...controllers, ...rawControllers].some(({ children, uses, watches }) =>
      [...children, ...uses, ...watches].some(({ kind }) => kind.scope === "Cluster"),
    )
  );
}
