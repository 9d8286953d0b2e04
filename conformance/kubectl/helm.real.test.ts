import { join } from "node:path";
import { type Cluster, startCluster } from "@kubewright/cluster";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CommandLine } from "./command-line.js";

const helm = process.env["KUBEWRIGHT_HELM"] ?? "";
const kubectl = process.env["KUBEWRIGHT_KUBECTL"] ?? "";
if (helm === "")
  process.stderr.write("Skipping the helm tests: helm is not installed (npm run real:install builds it)\n");

const chart = join(import.meta.dirname, "chart");
let cluster: Cluster;
let line: CommandLine;

beforeAll(async () => {
  cluster = await startCluster();
  line = await CommandLine.in((await cluster.listen()).kubeconfig);
});
afterAll(async () => {
  await line.close();
  await cluster.close();
});

function get(what: string, path: string): Promise<string> {
  return line.prints(kubectl, "get", what, "-o", `jsonpath=${path}`);
}

test.skipIf(helm === "")("kubectl applies the output of helm template", async () => {
  const rendered = async (...values: string[]): Promise<string> =>
    line.file("chart.yaml", await line.prints(helm, "template", "torch", chart, "--include-crds", ...values));

  // Twice: the first time the CRD is not served yet when kubectl looks up the kind.
  await line.run(kubectl, ["apply", "-f", await rendered()]);
  await line.prints(kubectl, "apply", "-f", await rendered());
  expect(await get("light/torch", "{.spec.color}")).toBe("red");
  expect(await get("configmap/torch", "{.data.color}")).toBe("red");
  expect(Buffer.from(await get("secret/torch", "{.data.token}"), "base64").toString()).toBe("red-token");
  expect(await get("deployment/torch", "{.spec.replicas}")).toBe("1");
  expect(await get("service/torch", "{.spec.ports[0].port}")).toBe("80");

  await line.prints(
    kubectl,
    "apply",
    "--server-side",
    "--force-conflicts",
    "-f",
    await rendered("--set", "replicas=3"),
  );
  expect(await get("deployment/torch", "{.spec.replicas}")).toBe("3");
  const rejected = await line.run(kubectl, ["apply", "-f", await rendered("--set", "color=blue")]);
  expect(rejected.err).toContain('spec.color: Unsupported value: "blue": supported values: "red", "green"');
});

test.skipIf(helm === "")("a chart is installed, upgraded, rolled back and uninstalled", async () => {
  const installed = await line.prints(helm, "install", "lamp", chart);
  expect(installed).toContain("STATUS: deployed\nREVISION: 1\n");
  expect(await get("light/lamp", "{.spec.color}")).toBe("red");
  expect(await get("configmap/lamp", "{.data.color}")).toBe("red");
  expect(Buffer.from(await get("secret/lamp", "{.data.token}"), "base64").toString()).toBe("red-token");
  expect(await get("deployment/lamp", "{.spec.replicas}")).toBe("1");
  expect(await get("service/lamp", "{.spec.ports[0].port}")).toBe("80");
  expect(await get("light/lamp", "{.metadata.labels}")).toBe('{"app.kubernetes.io/managed-by":"Helm"}');

  const upgraded = await line.prints(helm, "upgrade", "lamp", chart, "--set", "color=green,replicas=3");
  expect(upgraded).toContain("REVISION: 2\n");
  expect(await get("light/lamp", "{.spec.color}")).toBe("green");
  expect(await get("deployment/lamp", "{.spec.replicas}")).toBe("3");

  const rejected = await line.run(helm, ["upgrade", "lamp", chart, "--set", "color=blue"]);
  expect(rejected.code).toBe(1);
  expect(rejected.err).toContain('spec.color: Unsupported value: "blue": supported values: "red", "green"');

  expect(await line.prints(helm, "rollback", "lamp", "1")).toBe("Rollback was a success! Happy Helming!\n");
  expect(await get("light/lamp", "{.spec.color}")).toBe("red");
  expect(await get("deployment/lamp", "{.spec.replicas}")).toBe("1");
  const history = JSON.parse(await line.prints(helm, "history", "lamp", "-o", "json"));
  expect(history.map((one: { status: string }) => one.status)).toEqual([
    "superseded",
    "superseded",
    "failed",
    "deployed",
  ]);

  expect(await line.prints(helm, "uninstall", "lamp")).toBe('release "lamp" uninstalled\n');
  for (const kind of ["light", "configmap", "secret", "deployment", "service"])
    expect((await line.run(kubectl, ["get", kind, "lamp"])).err).toContain("(NotFound)");
  expect(await line.prints(helm, "list", "-q")).toBe("");
  // Helm never deletes CRDs.
  expect(await line.prints(kubectl, "get", "crd", "-o", "name")).toBe(
    "customresourcedefinition.apiextensions.k8s.io/lights.lantern.example.com\n",
  );
});
