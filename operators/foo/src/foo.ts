import { defineResource, type ObjectOf, z } from "kubewright";

const replicas = z.int32().min(1).max(10).optional();
const status = z.object({ availableReplicas: z.int32().default(0) });
const available = { name: "Available", type: "integer", jsonPath: ".status.availableReplicas" } as const;
const desired = { name: "Replicas", type: "integer", jsonPath: ".spec.replicas" } as const;
const age = { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" } as const;

/**
 * A Foo specifies the name and the replicas of a Deployment.
 *
 * The controller sees v1alpha1, the version of Kubernetes' sample-controller; objects are stored in v1beta1, which groups the fields of the Deployment.
 */
export const Foo = defineResource({
  group: "samplecontroller.k8s.io", // a protected group: the CRD carries the api-approved annotation
  kind: "Foo",
  shortNames: ["fo"],
  hub: "v1alpha1",
  versions: {
    v1alpha1: {
      spec: z.object({ deploymentName: z.string(), replicas }),
      status,
      printerColumns: [
        { name: "Deployment", type: "string", jsonPath: ".spec.deploymentName" },
        desired,
        available,
        age,
      ],
    },
    v1beta1: {
      spec: z.object({ deployment: z.object({ name: z.string() }), replicas }),
      status,
      storage: true,
      printerColumns: [
        { name: "Deployment", type: "string", jsonPath: ".spec.deployment.name" },
        desired,
        available,
        age,
      ],
    },
  },
  convert: {
    v1beta1: {
      toHub: ({ spec: { deployment, ...spec } }) => ({ spec: { ...spec, deploymentName: deployment.name } }),
      fromHub: ({ spec: { deploymentName, ...spec } }) => ({ spec: { ...spec, deployment: { name: deploymentName } } }),
    },
  },
});
export type Foo = ObjectOf<typeof Foo>;
