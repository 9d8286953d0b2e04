/** An operator that defines one version with its own zod and one with the framework's. */
import { controller, defineResource, operator, z } from "kubewright";
import { ConfigMap } from "kubewright/k8s/core/v1";
import { z as ownZod } from "zod";

export const Greeting = defineResource({
  group: "example.com",
  kind: "Greeting",
  versions: {
    v1: { spec: ownZod.object({ name: ownZod.string() }), status: z.object({ greeted: z.int32().default(0) }) },
  },
});

export const greeter = operator({
  name: "greeter",
  controllers: [
    controller(Greeting, {
      owns: [ConfigMap],
      reconcile: async ({ object, apply }) => {
        const text = `Hello, ${object.spec.name}!`;
        await apply(ConfigMap, { metadata: { name: object.metadata.name }, data: { text } });
      },
    }),
  ],
});
