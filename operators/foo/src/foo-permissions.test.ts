import { testCluster } from "@kubewright/testing";
import { expect, test } from "vitest";
import { Foo, fooOperator } from "./index.js";

/** Runs the operator without the permission of one verb on one resource. Returns the error that fails the test. */
async function runWithout(verb: string, resource: string): Promise<string> {
  const rules = () =>
    fooOperator.rules().flatMap((rule) =>
      rule.resources.map((one) => ({
        ...rule,
        resources: [one],
        verbs: rule.verbs.filter((held) => one !== resource || held !== verb),
      })),
    );
  try {
    await using cluster = await testCluster(fooOperator, {
      rules: () => rules().filter(({ verbs }) => verbs.length > 0),
    });
    await cluster.create(Foo, { metadata: { name: "one" }, spec: { deploymentName: "one-web" } });
    await cluster.settle();
    return "passed";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test.each([
  ["watch", "foos", "foos.samplecontroller.k8s.io"],
  ["patch", "foos/status", "foos/status.samplecontroller.k8s.io"],
  ["update", "foos/finalizers", "foos/finalizers.samplecontroller.k8s.io"],
  ["watch", "deployments", "deployments.apps"],
  ["create", "deployments", "deployments.apps"],
  ["patch", "deployments", "deployments.apps"],
  ["create", "events", "events.events.k8s.io"],
])("without the permission to %s %s a test fails and names it", async (verb, resource, named) => {
  expect(await runWithout(verb, resource)).toContain(`has no permission to ${verb} ${named}`);
});
