import { startCluster } from "@kubewright/cluster";
import { expect, test } from "vitest";

const path = "/api/v1/namespaces/default/configmaps/settings";
const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" } };

test("a PUT passes the stages of a write in kube-apiserver's order", async () => {
  const stages: string[] = [];
  await using cluster = await startCluster({
    audit: {
      observe: (stage, { method, user }) => void (method === "PUT" && stages.push(`${stage} as ${user.name}`)),
    },
  });
  await cluster.transport.send({ method: "POST", path: path.replace("/settings", ""), body: configMap });
  const { status } = await cluster.transport.send({ method: "PUT", path, body: { ...configMap, data: { a: "1" } } });
  expect(status).toBe(200);
  expect(stages).toEqual(
    [
      "apiserver: read",
      "access: authenticate",
      "access: authorize",
      "registry: decode",
      "registry: track managedFields",
      "admission: mutate",
      "registry: prepare",
      "registry: validate",
      "admission: validate",
      "storage: commit",
    ].map((stage) => `${stage} as admin`),
  );
});

test("a rejected write stops at the stage that rejects it", async () => {
  const stages: string[] = [];
  await using cluster = await startCluster({ audit: { observe: (stage) => void stages.push(stage) } });
  const body = { ...configMap, metadata: { name: "Not valid" } };
  const { status } = await cluster.transport.send({ method: "POST", path: path.replace("/settings", ""), body });
  expect(status).toBe(422);
  expect(stages.at(-1)).toBe("registry: prepare");
});
