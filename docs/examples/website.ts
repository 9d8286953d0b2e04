import { controller, defineResource, operator, z } from "kubewright";
import { Deployment } from "kubewright/k8s/apps/v1";

/** The kind that the guides use: a Deployment with a host. */
export const Website = defineResource({
  group: "web.example.com",
  kind: "Website",
  versions: {
    v1: {
      spec: z.object({
        image: z.string().min(1),
        replicas: z.int32().min(0).max(100).default(1),
        host: z.string().optional(),
        token: z.string().default(""),
      }),
      status: z.object({ availableReplicas: z.int32().default(0) }),
      conditions: { Ready: ["Available", "Progressing"] },
    },
  },
});

export const website = controller(Website, {
  owns: [Deployment],
  reconcile: async ({ object, apply, status, conditions }) => {
    const { name } = object.metadata;
    const { image, replicas } = object.spec;
    const labels = { app: name };
    const deployment = await apply(Deployment, {
      metadata: { name },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "web", image }] } },
      },
    });
    status.availableReplicas = deployment.status?.availableReplicas ?? 0;
    const isReady = status.availableReplicas >= replicas;
    conditions.set("Ready", { status: isReady, reason: isReady ? "Available" : "Progressing" });
  },
});

export const websiteOperator = operator({ name: "website-operator", controllers: [website] });
