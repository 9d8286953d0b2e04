import type { CertificateAuthority } from "@kubewright/core/certificates";
import { deepEqual } from "@kubewright/core/json";
import { isAlreadyExists, isForbidden, isNotFound, may, type RawController, rawController, watch } from "kubewright";
import { ConfigMap, Namespace } from "kubewright/k8s/core/v1";

const configMapName = "kube-root-ca.crt";
const annotation = "kubernetes.io/description";
const description =
  "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.";

/** Creates a ConfigMap with the cluster's CA certificate in every namespace, and reverts changes to it. */
export function rootCertificatePublisher(authority: () => CertificateAuthority): RawController {
  return rawController({
    name: "root-ca-certificate-publisher",
    fieldManager: "kube-controller-manager",
    uses: [may(ConfigMap, "create", "patch")],
    watches: [
      watch(Namespace, { to: ({ metadata }) => metadata.name }),
      watch(ConfigMap, {
        fields: { "metadata.name": configMapName },
        to: ({ metadata }) => metadata.namespace,
        when: ({ kind }) => kind !== "added",
      }),
    ],
    reconcile: async ({ key: namespace, find, create, patch }) => {
      if ((await find(Namespace, namespace))?.status?.phase !== "Active") return;
      const where = { namespace, name: configMapName };
      const data = { "ca.crt": authority().certificate };
      const annotations = { [annotation]: description };
      const existing = await find(ConfigMap, where);
      try {
        if (existing === undefined) await create(ConfigMap, { metadata: { ...where, annotations }, data });
        else if (!deepEqual(existing.data, data) || (existing.metadata.annotations?.[annotation] ?? "") === "") {
          const others = Object.fromEntries(Object.keys(existing.data ?? {}).map((name) => [name, null]));
          await patch(ConfigMap, where, { merge: { metadata: { annotations }, data: { ...others, ...data } } });
        }
      } catch (error) {
        // The namespace is terminating, or another client was first. The watch reports later changes.
        if (!isAlreadyExists(error) && !isNotFound(error) && !isForbidden(error)) throw error;
      }
    },
  });
}
