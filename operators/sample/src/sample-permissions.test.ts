import { testCluster } from "@kubewright/testing";
import { expect, test } from "vitest";
import { Sample, sampleOperator } from "./index.js";

/** Runs the operator without the permission of one verb on one resource. Returns the error that fails the test. */
async function runWithout(verb: string, resource: string): Promise<string> {
  const rules = () =>
    sampleOperator.rules().flatMap((rule) =>
      rule.resources.map((one) => ({
        ...rule,
        resources: [one],
        verbs: rule.verbs.filter((held) => one !== resource || held !== verb),
      })),
    );
  try {
    await using cluster = await testCluster(sampleOperator, {
      rules: () => rules().filter(({ verbs }) => verbs.length > 0),
    });
    await cluster.create(Sample, { metadata: { name: "one" }, testString: "a" });
    await cluster.settle();
    return "passed";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test.each([
  ["watch", "samples", "samples.example.com"],
  ["watch", "configmaps", "configmaps"],
  ["create", "configmaps", "configmaps"],
  ["patch", "configmaps", "configmaps"],
  ["update", "samples/finalizers", "samples/finalizers.example.com"],
])("without the permission to %s %s a test fails and names it", async (verb, resource, named) => {
  expect(await runWithout(verb, resource)).toContain(`has no permission to ${verb} ${named}`);
});
