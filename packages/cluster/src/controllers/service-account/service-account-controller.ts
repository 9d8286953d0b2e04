import { isAlreadyExists, isForbidden, isNotFound, may, type RawController, rawController, watch } from "kubewright";
import { Namespace, ServiceAccount } from "kubewright/k8s/core/v1";

const accountName = "default";

/** Creates the ServiceAccount `default` in every namespace, and recreates it after a deletion. */
export function serviceAccountController(): RawController {
  return rawController({
    name: "serviceaccount-controller",
    fieldManager: "kube-controller-manager",
    uses: [may(ServiceAccount, "create")],
    watches: [
      watch(Namespace, { to: ({ metadata }) => metadata.name }),
      watch(ServiceAccount, {
        to: ({ metadata }) => (metadata.name === accountName ? metadata.namespace : undefined),
        when: ({ kind }) => kind === "deleted",
      }),
    ],
    reconcile: async ({ key: namespace, find, create }) => {
      if ((await find(Namespace, namespace))?.status?.phase !== "Active") return;
      if ((await find(ServiceAccount, { namespace, name: accountName })) !== undefined) return;
      try {
        await create(ServiceAccount, { metadata: { namespace, name: accountName } });
      } catch (error) {
        // The namespace is terminating, or another client was first.
        if (!isAlreadyExists(error) && !isNotFound(error) && !isForbidden(error)) throw error;
      }
    },
  });
}
