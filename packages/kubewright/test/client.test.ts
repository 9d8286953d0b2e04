/** The client suite against the embedded cluster; client.real.test.ts runs it against a real kube-apiserver. */
import { startCluster } from "@kubewright/cluster";
import { type Feature, testClient } from "./client-suite.js";

/** Features that the embedded cluster does not have yet, or not in process. */
const lacks: { readonly [F in Feature]?: string } = {
  "body limit": "requests in process are not serialized",
  identities: "in process everybody is the administrator",
};

testClient(async () => {
  const cluster = await startCluster();
  return {
    transport: cluster.transport,
    compact: async () => cluster.compact(cluster.revision),
    aged: (token) => token,
    close: () => cluster.close(),
  };
}, lacks);
