import { join } from "node:path";
import { generateManifests, writeManifests } from "@kubewright/codegen";
import { bucketOperator } from "@kubewright-operators/bucket";
import { certificateExpiryOperator } from "@kubewright-operators/certificate-expiry";
import { etcdOperator } from "@kubewright-operators/etcd";
import { fooOperator } from "@kubewright-operators/foo";
import { sampleOperator } from "@kubewright-operators/sample";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");

test.each([
  ["bucket", bucketOperator],
  ["certificate-expiry", certificateExpiryOperator],
  ["etcd", etcdOperator],
  ["foo", fooOperator],
  ["sample", sampleOperator],
])(
  "the manifests of operators/%s are those of its definitions: npm run manifests writes them",
  async (name, operator) => {
    const image = `registry.example.com/${name}-operator:0.1.0`;
    const files = generateManifests({ operators: [operator], image, leaderElection: true });
    const report = await writeManifests(join(root, "operators", name, "config"), files, { check: true });
    expect(report).toMatchObject({ drifted: [], stale: [] });
    expect(report.unchanged.length).toBeGreaterThan(10);
  },
);
