import { testCluster } from "@kubewright/testing";
import { operator, webhooks } from "kubewright";
import { Deployment } from "kubewright/k8s/apps/v1";
import { Pod } from "kubewright/k8s/core/v1";
import { expect } from "vitest";

const seen: unknown[] = [];

const guard = operator({
  name: "guard",
  webhooks: [
    webhooks(Pod, {
      subresource: "exec",
      connect: ({ object, name, user, operation, deny }) => {
        seen.push({ operation, name, isAdmin: user.groups.includes("system:masters"), object });
        deny(`no commands in "${name}"`);
      },
    }),
    webhooks(Deployment, {
      subresource: "scale",
      validate: ({ object, old, deny }) => {
        if ((object.spec?.replicas ?? 0) > 3) deny("spec.replicas", `at most 3, not from ${old?.spec?.replicas} on`);
      },
    }),
  ],
});

/** Connections and writes to subresources pass an operator's webhooks, embedded and real. */
export async function subresourceWebhooks(): Promise<void> {
  seen.length = 0;
  await using cluster = await testCluster(guard, { workloads: false });
  const spec = { containers: [{ name: "app", image: "app:1" }] };
  await cluster.create(Pod, { metadata: { name: "web" }, spec });
  await expect(cluster.exec(Pod, "web", { container: "app", command: ["ls", "-l"] })).rejects.toThrow(
    'denied the request: no commands in "web"',
  );
  expect(seen).toEqual([
    {
      operation: "connect",
      name: "web",
      isAdmin: true,
      object: expect.objectContaining({
        kind: "PodExecOptions",
        container: "app",
        command: ["ls", "-l"],
        stdout: true,
      }),
    },
  ]);

  const labels = { app: "web" };
  const template = { metadata: { labels }, spec };
  await cluster.create(Deployment, {
    metadata: { name: "web" },
    spec: { selector: { matchLabels: labels }, template },
  });
  const scaled = (replicas: number) => cluster.scale(Deployment, "web", replicas);
  await scaled(3);
  await expect(scaled(4)).rejects.toThrow("spec.replicas: Invalid value: 4: at most 3, not from 3 on");
  // Not a write to the subresource.
  await cluster.patch(Deployment, "web", { merge: { spec: { replicas: 5 } } });
  expect((await cluster.get(Deployment, "web")).spec?.replicas).toBe(5);
}
