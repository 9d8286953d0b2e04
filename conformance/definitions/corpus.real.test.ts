import { spawnSync } from "node:child_process";
import { startCluster } from "@kubewright/cluster";
import { checkRules } from "@kubewright/core/cel";
import { systemClock } from "@kubewright/core/clock";
import type { JsonObject } from "@kubewright/core/json";
import { formatFieldError, type Schema } from "@kubewright/core/schema";
import { startControlPlane } from "@kubewright/testing/control-plane";
import type { CustomResourceDefinition } from "kubewright/crd";
import { HttpsTransport } from "kubewright/transport";
import { expect, test } from "vitest";
import { publishedDefinitions } from "./corpus.js";
import { regenerate } from "./regenerate.js";
import { sameVerdicts } from "./same-verdicts.js";

const hasGo = spawnSync("go", ["version"], { stdio: "ignore" }).status === 0;
if (!hasGo) process.stderr.write("Skipping the tests of published CRDs: go is not installed\n");

/** Larger CRDs are left to `npm run conformance`: they are slow, and differ mainly in embedded pod specs. */
const maxBytes = 60_000;

/** The errors of the CEL rules of a published CRD: a real server accepts it. */
function ruleErrors(definition: JsonObject): string[] {
  const { spec } = definition as unknown as CustomResourceDefinition;
  return spec.versions.flatMap(({ name, schema }) =>
    checkRules(schema.openAPIV3Schema as Schema, `${spec.names.kind}.${name}`).map(formatFieldError),
  );
}

test.runIf(hasGo)(
  "CRDs of well-known projects are imported, type-checked, and accept the same objects on a real server",
  async () => {
    const published = await publishedDefinitions(maxBytes);
    expect(published.length).toBeGreaterThan(100);
    expect(new Set(published.map(({ project }) => project)).size).toBeGreaterThanOrEqual(15);
    expect(published.flatMap(({ definition }) => ruleErrors(definition))).toEqual([]);
    const { definitions, complaints } = await regenerate(published);
    expect(complaints).toBe("");
    await using plane = await startControlPlane();
    const credentials = { kind: "token" as const, token: plane.admin.token };
    const connection = { server: plane.url, caCertificate: plane.caCertificate, credentials, namespace: "default" };
    const transport = new HttpsTransport(connection, { clock: systemClock });
    try {
      const verdicts = await sameVerdicts(transport, published, definitions, { seed: 1, objects: 3 });
      expect(verdicts.differences).toEqual([]);
      expect(verdicts.accepted).toBeGreaterThan(200);
      expect(verdicts.rejected).toBeGreaterThan(50);
      expect(verdicts.updates).toBeGreaterThan(200);
    } finally {
      await transport.close();
    }
  },
  600_000,
);

test.runIf(hasGo)(
  "an embedded cluster accepts every CRD of well-known projects, with their rules",
  async () => {
    await using cluster = await startCluster();
    const published = await publishedDefinitions();
    expect(published.length).toBeGreaterThanOrEqual(209);
    const rejected: string[] = [];
    for (const { project, name, definition } of published) {
      const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
      const { status, body } = await cluster.transport.send({ method: "POST", path, body: definition });
      if (status !== 201) rejected.push(`${project} ${name}: ${JSON.stringify(body)}`);
    }
    expect(rejected).toEqual([]);
  },
  300_000,
);
