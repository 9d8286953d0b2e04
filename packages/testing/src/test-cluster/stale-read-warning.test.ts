import { type AnyController, controller, defineResource, every, live, operator, watch, z } from "kubewright";
import { Secret } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { testCluster } from "./index.js";

const Site = defineResource({ group: "example.com", kind: "Site", versions: { v1: { spec: z.object({}) } } });

/** The warnings of a controller that reads a Secret from the server in two runs of two objects. */
async function warningsOf(makeController: () => AnyController): Promise<string[]> {
  const warnings: string[] = [];
  const siteOperator = operator({ name: "sites", controllers: [makeController()] });
  await using cluster = await testCluster(siteOperator, { onWarning: (warning) => warnings.push(warning) });
  for (const name of ["one", "two"]) await cluster.create(Site, { metadata: { name }, spec: {} });
  await cluster.settle();
  await cluster.patch(Site, "one", { merge: { metadata: { labels: { again: "yes" } } } });
  await cluster.settle();
  return warnings;
}

test("a live read that nothing repeats is reported once per controller and kind", async () => {
  const warnings = await warningsOf(() =>
    controller(Site, { uses: [live(Secret)], reconcile: async ({ find }) => void (await find(Secret, "token")) }),
  );
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain(
    'Controller "site" reads Secret from the server, and nothing watches it: the result can go stale',
  );
});

test("a live read is not reported where it is accepted, watched or repeated", async () => {
  const quiet: readonly (() => AnyController)[] = [
    () =>
      controller(Site, {
        uses: [live(Secret, { unwatched: true })],
        reconcile: async ({ find }) => void (await find(Secret, "token")),
      }),
    () =>
      controller(Site, {
        uses: [live(Secret)],
        watches: [watch(Secret, { to: () => undefined })],
        reconcile: async ({ find }) => void (await find(Secret, "token")),
      }),
    () =>
      controller(Site, {
        uses: [live(Secret)],
        sources: [every("1h")],
        reconcile: async ({ find }) => void (await find(Secret, "token")),
      }),
    () =>
      controller(Site, {
        uses: [live(Secret)],
        reconcile: async ({ find, requeueAfter }) => {
          await find(Secret, "token");
          return requeueAfter("1h");
        },
      }),
  ];
  for (const make of quiet) expect(await warningsOf(make)).toEqual([]);
});
