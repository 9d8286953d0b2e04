import type { CertificateAuthority } from "@kubewright/core/certificates";
import { deepEqual } from "@kubewright/core/json";
import { isAlreadyExists, isForbidden, isNotFound, may, type RawController, rawController, watch } from "kubewright";
import { ConfigMap, Namespace } from "kubewright/k8s/core/v1";

const wanted = "kube-root-ca.crt";
const annotation = "kubernetes.io/description";
const description =
  "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.";

/** Every namespace has a ConfigMap with the certificate of the cluster's authority; what others make of it is undone. */
export function rootCertificatePublisher(authority: () => CertificateAuthority): RawController {
  return rawController({
    name: "root-ca-certificate-publisher",
    fieldManager: "kube-controller-manager",
    uses: [may(ConfigMap, "create", "patch")],
    watches: [
      watch(Namespace, { to: ({ metadata }) => metadata.name }),
      watch(ConfigMap, {
        fields: { "metadata.name": wanted },
        to: ({ metadata }) => metadata.namespace,
        when: ({ kind }) => kind !== "added",
      }),
    ],
    reconcile: async ({ key: namespace, find, create, patch }) => {
      if ((await find(Namespace, namespace))?.status?.phase !== "Active") return;
      const where = { namespace, name: wanted };
      const data = { "ca.crt": authority().certificate };
      const annotations = { [annotation]: description };
      const there = await find(ConfigMap, where);
      try {
        if (there === undefined) await create(ConfigMap, { metadata: { ...where, annotations }, data });
        else if (!deepEqual(there.data, data) || (there.metadata.annotations?.[annotation] ?? "") === "") {
          const others = Object.fromEntries(Object.keys(there.data ?? {}).map((name) => [name, null]));
          await patch(ConfigMap, where, { merge: { metadata: { annotations }, data: { ...others, ...data } } });
        }
      } catch (error) {
        // The namespace goes, or somebody was faster: a change will tell.
        if (!isAlreadyExists(error) && !isNotFound(error) && !isForbidden(error)) throw error;
      }
    },
  });
}
