import type { CertificateAuthority } from "@kubewright/core/certificates";
import type { JsonObject } from "@kubewright/core/json";
import { isConflict, isNotFound, may, type RawController, rawController, watch } from "kubewright";
import { Secret, ServiceAccount } from "kubewright/k8s/core/v1";

const tokenType = "kubernetes.io/service-account-token";
const nameAnnotation = "kubernetes.io/service-account.name";
const uidAnnotation = "kubernetes.io/service-account.uid";

/** Adds a non-expiring token to Secrets of type service-account-token, and deletes those whose ServiceAccount is gone. */
export function serviceAccountTokens(
  authority: () => CertificateAuthority,
  signToken: (claims: JsonObject) => string,
): RawController {
  return rawController({
    name: "serviceaccount-token-controller",
    fieldManager: "kube-controller-manager",
    uses: [may(Secret, "patch", "delete")],
    watches: [
      watch(Secret, { fields: { type: tokenType }, to: ({ metadata }) => metadata }),
      watch(ServiceAccount, {
        reads: [Secret],
        to: ({ metadata: { namespace = "", name } }, cached) =>
          cached
            .list(Secret, { namespace })
            .filter(({ metadata }) => metadata.annotations?.[nameAnnotation] === name)
            .map(({ metadata }) => metadata),
        when: ({ kind }) => kind !== "updated",
      }),
    ],
    reconcile: async ({ key, find, patch, delete: remove }) => {
      const [namespace = "", name = ""] = key.split("/");
      const where = { namespace, name };
      const secret = await find(Secret, where);
      const accountName = secret?.metadata.annotations?.[nameAnnotation] ?? "";
      if (secret === undefined || accountName === "" || secret.metadata.deletionTimestamp !== undefined) return;
      const { uid, resourceVersion } = secret.metadata;
      const account = await find(ServiceAccount, { namespace, name: accountName });
      const accountUid = secret.metadata.annotations?.[uidAnnotation] ?? "";
      // The ServiceAccount was deleted and recreated.
      const isOther = account !== undefined && accountUid !== "" && accountUid !== account.metadata.uid;
      try {
        if (account === undefined || isOther) return await remove(Secret, where, { uid });
        const certificate = base64(authority().certificate);
        const { "ca.crt": knownCertificate, namespace: knownNamespace, token } = secret.data ?? {};
        if (knownCertificate === certificate && knownNamespace && token) return;
        const data = {
          "ca.crt": certificate,
          ...(knownNamespace ? {} : { namespace: base64(namespace) }),
          ...(token ? {} : { token: base64(signToken(claimsOf(where, account.metadata))) }),
        };
        const annotations = { [nameAnnotation]: accountName, [uidAnnotation]: account.metadata.uid };
        await patch(Secret, where, { merge: { metadata: { resourceVersion, annotations }, data } });
      } catch (error) {
        // It was changed or deleted; the watch event triggers the next reconcile.
        if (!isNotFound(error) && !isConflict(error)) throw error;
      }
    },
  });
}

function claimsOf(
  secret: { readonly namespace: string; readonly name: string },
  account: { readonly name: string; readonly uid: string },
): JsonObject {
  const { namespace, name } = secret;
  return {
    iss: "kubernetes/serviceaccount",
    sub: `system:serviceaccount:${namespace}:${account.name}`,
    "kubernetes.io/serviceaccount/namespace": namespace,
    "kubernetes.io/serviceaccount/secret.name": name,
    "kubernetes.io/serviceaccount/service-account.name": account.name,
    "kubernetes.io/serviceaccount/service-account.uid": account.uid,
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
