import { Secret } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import type { EtcdConnection } from "../members/etcd-members.js";
import { EtcdCluster } from "../resources/etcd-cluster.js";
import { etcdTestCluster } from "../testing/etcd-test-cluster.js";

const TLS = {
  static: { member: { peerSecret: "peer", serverSecret: "server" }, operatorSecret: "client" },
};
const client = (cert: string) => ({
  stringData: { "etcd-client.crt": cert, "etcd-client.key": "key", "etcd-client-ca.crt": "ca" },
});

test("a cluster with TLS waits for its Secrets, and the operator uses rotated certificates without a restart", async () => {
  await using world = await etcdTestCluster();
  const { cluster, etcd } = world;
  const used: (string | undefined)[] = [];
  const status = etcd.status.bind(etcd);
  etcd.status = (endpoint: EtcdConnection, options) => {
    used.push(endpoint.credentials?.cert);
    return status(endpoint, options);
  };
  await world.create("shop", { size: 3, TLS });
  await cluster.advance("2m");
  expect(await world.pods("shop")).toEqual([]);
  expect((await cluster.conditions(EtcdCluster, "shop")).Blocked).toMatchObject({
    reason: "SecretMissing",
    message: 'Secret "peer" does not exist',
  });
  await cluster.create(Secret, { metadata: { name: "peer" }, stringData: { "peer.crt": "a" } });
  await cluster.create(Secret, { metadata: { name: "server" }, stringData: { "server.crt": "a" } });
  await cluster.create(Secret, { metadata: { name: "client" }, ...client("first") });
  await world.converge("shop");
  expect((await cluster.conditions(EtcdCluster, "shop")).Blocked).toBeUndefined();
  expect(new Set(used)).toEqual(new Set(["first"]));

  const pods = await world.pods("shop");
  const [pod] = pods;
  expect(pod?.spec?.containers[0]?.command).toEqual(
    expect.arrayContaining([
      "--peer-client-cert-auth=true",
      "--client-cert-auth=true",
      "--listen-client-urls=https://0.0.0.0:2379",
      expect.stringMatching(/^--initial-advertise-peer-urls=https:\/\/shop-.*\.shop\.default\.svc:2380$/),
    ]),
  );
  expect(pod?.spec?.volumes?.flatMap(({ secret }) => secret?.secretName ?? [])).toEqual(["peer", "server", "client"]);

  await cluster.patch(Secret, "client", { merge: client("second") });
  used.length = 0;
  await cluster.advance("2m");
  expect(new Set(used)).toEqual(new Set(["second"]));
  expect((await world.pods("shop")).map(({ metadata }) => metadata.uid)).toEqual(
    pods.map(({ metadata }) => metadata.uid),
  );
});
