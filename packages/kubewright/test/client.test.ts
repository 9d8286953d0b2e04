/** The client against the embedded cluster: the suite that it also passes against a real kube-apiserver. */
import { startCluster } from "@kubewright/cluster";
import { type Feature, testClient } from "./client-suite.js";

/** What the embedded cluster does not have yet, or not in process. */
const lacks: { readonly [F in Feature]?: string } = {
  "body limit": "in process there are no bytes to count",
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
