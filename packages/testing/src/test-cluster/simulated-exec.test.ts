import { controller, defineResource, may, operator, z } from "kubewright";
import { Node, Pod } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { type SimulatedCommand, testCluster } from "../index.js";

const Probe = defineResource({
  group: "example.com",
  kind: "Probe",
  versions: { v1: { spec: z.object({ pod: z.string() }), status: z.object({ result: z.string().optional() }) } },
});

const probing = operator({
  name: "probing",
  controllers: [
    controller(Probe, {
      uses: [may(Pod, "exec")],
      reconcile: async ({ object, exec, status }) => {
        const ready = await exec(Pod, object.spec.pod, { command: ["pg_isready"] }).catch(
          ({ message }: Error) => message,
        );
        if (typeof ready === "string" || ready.exitCode !== 0) {
          status.result = typeof ready === "string" ? ready : `${ready.exitCode}: ${ready.stderr}`;
          return;
        }
        const { stdout } = await exec(Pod, object.spec.pod, { container: "db", command: ["psql"], stdin: "SELECT 1;" });
        status.result = stdout;
      },
    }),
  ],
});

test("a test runs the commands of the operator, and the server's rejections stay", async () => {
  const commands: SimulatedCommand[] = [];
  await using cluster = await testCluster(probing, {
    workloads: false,
    exec: async (asked) => {
      commands.push(asked);
      if (asked.pod === "db-1") return { exitCode: 2, stderr: "no response" };
      return asked.command[0] === "psql" ? { stdout: `ran ${asked.stdin}` } : {};
    },
  });
  await cluster.create(Node, { metadata: { name: "node" } });
  const spec = { nodeName: "node", containers: [{ name: "db", image: "db:1" }] };
  for (const name of ["db-0", "db-1"]) await cluster.create(Pod, { metadata: { name }, spec });
  for (const pod of ["db-0", "db-1", "db-2"]) await cluster.create(Probe, { metadata: { name: pod }, spec: { pod } });
  await cluster.settle();
  const results: unknown[] = [];
  for (const name of ["db-0", "db-1", "db-2"]) results.push((await cluster.get(Probe, name)).status?.result);
  expect(results).toEqual([
    "ran SELECT 1;",
    "2: no response",
    expect.stringMatching(/Cannot run "pg_isready" in Pod "[^"]+\/db-2": pods "db-2" not found/),
  ]);
  expect(commands).toContainEqual({
    namespace: cluster.namespace,
    pod: "db-0",
    container: "db",
    command: ["psql"],
    stdin: "SELECT 1;",
  });
});
