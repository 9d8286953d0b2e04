import { area, withOptions } from "../scenario.js";
import { create, patch, remove } from "../step.js";

const kinds = ["ServiceAccount", "ConfigMap", "Secret"];

/** The ServiceAccount and root CA certificate publisher controllers. */
export const namespaceArea = area("namespace", {
  "a namespace has a default service account and the root certificate, which come back when they are deleted or changed":
    withOptions({ kinds }, [
      create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "own" }, data: { a: "b" } }),
      remove("serviceaccounts/default"),
      remove("configmaps/kube-root-ca.crt"),
      patch("configmaps/kube-root-ca.crt", { data: { "ca.crt": "wrong", more: "x" } }),
      patch("serviceaccounts/default", { metadata: { labels: { mine: "yes" } } }),
      create({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot" } }),
      create({
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: "token", annotations: { "kubernetes.io/service-account.name": "robot" } },
        type: "kubernetes.io/service-account-token",
      }),
      remove("serviceaccounts/robot"),
      remove("secrets/token"),
      remove("configmaps/own"),
    ]),
});
