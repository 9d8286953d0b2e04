import fc from "fast-check";
import { expect, test } from "vitest";
import { startTestCluster } from "./test-cluster.js";

const paths = [
  "/api/v1/namespaces/default/pods",
  "/api/v1/namespaces/default/replicationcontrollers",
  "/apis/apps/v1/namespaces/default/deployments",
  "/apis/apps/v1/namespaces/default/statefulsets",
  "/apis/apps/v1/namespaces/default/daemonsets",
  "/apis/batch/v1/namespaces/default/jobs",
  "/apis/batch/v1/namespaces/default/cronjobs",
  "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers",
  "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers",
  "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
  "/apis/certificates.k8s.io/v1/certificatesigningrequests",
];

/** Field names that validation reads, and some that target the prototype. */
const keys = fc.constantFrom(
  ..."spec template metadata labels annotations selector matchLabels matchExpressions containers initContainers".split(
    " ",
  ),
  ..."volumes ports env envFrom valueFrom resources limits requests livenessProbe httpGet port name image".split(" "),
  ..."affinity tolerations topologySpreadConstraints securityContext dnsConfig schedule jobTemplate metrics".split(" "),
  ..."target behavior scaleUp policies strategy updateStrategy rollingUpdate maxSurge podFailurePolicy rules".split(
    " ",
  ),
  ..."__proto__ constructor secret configMap projected sources items key path cpu memory type values request".split(
    " ",
  ),
);
const scalars = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer({ min: -5, max: 70_000 }),
  fc.constantFrom("", "a", "Bad Name", "10%", "1Gi", "RollingUpdate", "In", "$(A)", "../x"),
);
const { value: bodies } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    scalars,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(keys, tie("value"), { maxKeys: 6 }),
  ),
}));

test("for any spec, a create of a workload never causes an internal error", async () => {
  const { post } = await startTestCluster();
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), bodies, fc.boolean(), async (path, spec, isPod) => {
      const pod = { containers: [{ name: "a", image: "b" }], restartPolicy: "Never", ...(spec as object | null) };
      const body = {
        metadata: { name: `x${count++}` },
        spec: isPod ? { template: { spec: pod }, selector: spec } : spec,
      };
      const { status, body: response } = await post(path, body);
      expect([status < 500, response.message]).toEqual([true, response.message]);
    }),
    {
      numRuns: 600,
      // Containers are null in the defaulted template.
      examples: [["/apis/batch/v1/namespaces/default/jobs", { podFailurePolicy: {} }, false]],
    },
  );
});
