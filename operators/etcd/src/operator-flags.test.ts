import { expect, test } from "vitest";
import { etcdOperatorFlags } from "./operator-flags.js";

const environment = { MY_POD_NAME: "etcd-operator-1", MY_POD_NAMESPACE: "db", KUBERNETES_SERVICE_HOST: "10.0.0.1" };

test("without flags the operator works on its own namespace, creates its definitions, elects a leader and serves on :8080", () => {
  expect(etcdOperatorFlags([], environment)).toEqual({
    operator: { clusterWide: false, gcInterval: "600s" },
    simulatesMembers: false,
    pod: { namespace: "db", name: "etcd-operator-1" },
    run: {
      args: [],
      environment,
      healthAddress: "0.0.0.0:8080",
      metricsAddress: "0.0.0.0:8080",
      secureMetrics: false,
      installCRDs: true,
      leaderElection: { namespace: "db", identity: "etcd-operator-1" },
      namespace: "db",
    },
  });
});

test("flags are written as in Go, and those of the framework are passed on", () => {
  const args = [
    "-cluster-wide",
    "--create-crd=false",
    "--gc-interval",
    "1h30m",
    "-listen-addr=:9090",
    "--log-level=debug",
    "--chaos-level=-1",
  ];
  const { operator, run } = etcdOperatorFlags(args, environment);
  expect(operator).toEqual({ clusterWide: true, gcInterval: "5400s" });
  expect(run).toMatchObject({ args: ["--log-level=debug"], installCRDs: false, metricsAddress: ":9090" });
  expect(run.namespace).toBeUndefined();
});

test("unusable values are rejected with the reason", () => {
  expect(() => etcdOperatorFlags(["--chaos-level=2"], environment)).toThrow("only -1 is accepted");
  expect(() => etcdOperatorFlags(["--gc-interval=soon"], environment)).toThrow("a duration such as 10m");
  expect(() => etcdOperatorFlags(["--create-crd=perhaps"], environment)).toThrow("must be true or false");
  expect(() => etcdOperatorFlags([], { KUBERNETES_SERVICE_HOST: "10.0.0.1" })).toThrow(
    "MY_POD_NAME and MY_POD_NAMESPACE",
  );
});
