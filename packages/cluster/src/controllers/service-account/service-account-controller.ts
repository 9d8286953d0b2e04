import { isAlreadyExists, isForbidden, isNotFound, may, type RawController, rawController, watch } from "kubewright";
import { Namespace, ServiceAccount } from "kubewright/k8s/core/v1";

const wanted = "default";

/** Every namespace has a service account `default`, for pods that name none; also one that somebody deleted. */
export function serviceAccountController(): RawController {
  return rawController({
    name: "serviceaccount-controller",
    fieldManager: "kube-controller-manager",
    uses: [may(ServiceAccount, "create")],
    watches: [
      watch(Namespace, { to: ({ metadata }) => metadata.name }),
      watch(ServiceAccount, {
        to: ({ metadata }) => (metadata.name === wanted ? metadata.namespace : undefined),
        when: ({ kind }) => kind === "deleted",
      }),
    ],
    reconcile: async ({ key: namespace, find, create }) => {
      if ((await find(Namespace, namespace))?.status?.phase !== "Active") return;
      if ((await find(ServiceAccount, { namespace, name: wanted })) !== undefined) return;
      try {
        await create(ServiceAccount, { metadata: { namespace, name: wanted } });
      } catch (error) {
        // The namespace goes, or somebody was faster: nothing is missing then.
        if (!isAlreadyExists(error) && !isNotFound(error) && !isForbidden(error)) throw error;
      }
    },
  });
}
