import { defineResource, z } from "kubewright";

/** The custom resource of both operators; the same as in `controller-runtime/widget.go`. */
export const Widget = defineResource({
  group: "bench.kubewright.dev",
  kind: "Widget",
  versions: {
    v1: {
      spec: z.object({
        image: z.string().optional(),
        replicas: z.int32().optional(),
        notes: z.array(z.string()).optional(),
        settings: z.record(z.string(), z.string()).optional(),
      }),
      status: z.object({ child: z.string().optional() }),
    },
  },
});

/** A Widget of about 830 bytes as stored. */
export function widgetNamed(name: string) {
  return {
    metadata: { name, labels: { app: "shop", tier: "web" } },
    spec: {
      image: "registry.example.com/shop/web:1.2.3",
      replicas: 3,
      notes: ["kept small", "made for measurements"],
      settings: { LEVEL: "3", MODE: "fast", REGION: "north", TEAM: "shop" },
    },
  };
}
