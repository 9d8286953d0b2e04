import { existsSync, readFileSync } from "node:fs";
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

/** The files of `src/` that ARCHITECTURE.md lists as the path of a PUT. */
function listedFiles(): readonly string[] {
  const text = readFileSync(new URL("../../../ARCHITECTURE.md", import.meta.url), "utf8");
  const paragraph = text.split("\n\n").find((one) => one.startsWith("One PUT over HTTPS leads through"));
  let folder = "";
  return [...(paragraph ?? "").matchAll(/`(?:([\w/]+)\/)?([\w-]+)`/g)].map(([, named = folder, file]) => {
    folder = named;
    return `${folder}/${file}.ts`;
  });
}

test("a PUT leads through the files that ARCHITECTURE.md lists, 18 at most", async () => {
  const listed = listedFiles();
  expect(listed.length).toBeGreaterThan(10);
  expect(listed.length).toBeLessThanOrEqual(18);
  for (const file of listed) expect(existsSync(new URL(`../src/${file}`, import.meta.url)), file).toBe(true);

  // In process, where a call stack shows who calls the stages; the first file is that of HTTPS.
  const passed = new Set<string>();
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  try {
    const observe = (): void => {
      for (const [, file = ""] of `${new Error().stack}`.matchAll(/packages\/cluster\/src\/([\w/-]+\.ts)/g))
        passed.add(file);
    };
    await using cluster = await startCluster({ audit: { observe } });
    await cluster.transport.send({ method: "POST", path: path.replace("/settings", ""), body: configMap });
    passed.clear();
    await cluster.transport.send({ method: "PUT", path, body: { ...configMap, data: { a: "1" } } });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  const helpers = ["apiserver/in-process-transport.ts", "registry/eventually.ts"];
  expect([...passed].filter((file) => !listed.includes(file)).toSorted()).toEqual(helpers);
});
