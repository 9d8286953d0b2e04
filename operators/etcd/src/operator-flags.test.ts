import { expect, test } from "vitest";
import { etcdOperatorFlags } from "./operator-flags.js";

const environment = { MY_POD_NAME: "etcd-operator-1", MY_POD_NAMESPACE: "db", KUBERNETES_SERVICE_HOST: "10.0.0.1" };

test("without flags the operator works on its own namespace, creates its definitions, elects a leader and serves on :8080", () => {
  expect(etcdOperatorFlags([], environment)).toEqual({
    operator: { clusterWide: false, gcInterval: "600s" },
    simulatesMembers: false,
    pod: { namespace: "db", name: "etcd-operator-1" },
    kubeconfig: undefined,
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

test.each([["--kubeconfig=/tmp/k"], ["--kubeconfig", "/tmp/k"], ["-kubeconfig", "/tmp/k"]])(
  "the simulation uses the kubeconfig of the framework: %s %s",
  (...args) => {
    expect(etcdOperatorFlags(["--simulate-members", ...args], environment)).toMatchObject({
      simulatesMembers: true,
      kubeconfig: "/tmp/k",
      run: { args },
    });
  },
);

test("unusable values are rejected with the reason", () => {
  expect(() => etcdOperatorFlags(["--chaos-level=2"], environment)).toThrow("only -1 is accepted");
  expect(() => etcdOperatorFlags(["--gc-interval=soon"], environment)).toThrow("a duration such as 10m");
  expect(() => etcdOperatorFlags(["--create-crd=perhaps"], environment)).toThrow("must be true or false");
});

test("without MY_POD_NAMESPACE the namespace is that of the ServiceAccount", () => {
  expect(etcdOperatorFlags([], {}, () => "db").run.namespace).toBe("db");
  expect(etcdOperatorFlags([], {}, () => undefined).run.namespace).toBe("default");
});

test("metrics are secure where the flags of generated manifests serve them", () => {
  expect(etcdOperatorFlags(["--metrics-bind-address=:8443"], environment).run).not.toHaveProperty("secureMetrics");
});
