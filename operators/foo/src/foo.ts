import { defineResource, type ObjectOf, z } from "kubewright";

/** A Foo specifies the name and the replicas of a Deployment. */
export const Foo = defineResource({
  group: "samplecontroller.k8s.io", // a protected group: the CRD carries the api-approved annotation
  kind: "Foo",
  shortNames: ["fo"],
  versions: {
    v1alpha1: {
      spec: z.object({ deploymentName: z.string(), replicas: z.int32().min(1).max(10).optional() }),
      status: z.object({ availableReplicas: z.int32().default(0) }),
      printerColumns: [
        { name: "Deployment", type: "string", jsonPath: ".spec.deploymentName" },
        { name: "Replicas", type: "integer", jsonPath: ".spec.replicas" },
        { name: "Available", type: "integer", jsonPath: ".status.availableReplicas" },
        { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
      ],
    },
  },
});
export type Foo = ObjectOf<typeof Foo>;
