import type { Chapter } from "../chapter.js";

const fields =
  "pods pods.spec.containers pods.spec.volumes pods.status deployments deployments.spec.strategy.rollingUpdate services.spec.ports configmaps.data nodes.status ingresses.spec cronjobs.spec.jobTemplate hpa.spec.metrics roles.rules crd.spec.versions.schema.openAPIV3Schema events pv.spec pvc.spec networkpolicies.spec csr.spec sts.spec limitranges.spec validatingwebhookconfigurations.webhooks flowschemas.spec bindings tokenreviews localsubjectaccessreviews".split(
    " ",
  );

/** `kubectl explain`. The embedded cluster has no descriptions of built-in kinds, so only their structure is compared. */
export const explain: Chapter = {
  name: "explain",
  commands: [
    ...fields.map((field) => `kubectl explain ${field} 2>&1 | grep -P '^(GROUP|KIND|VERSION|FIELD)|\\t<|^error|ENUM'`),
    ..."pods deployments services hpa nodes crd"
      .split(" ")
      .map((kind) => `kubectl explain ${kind} --recursive | grep -P '^(GROUP|KIND|VERSION|FIELD)|\\t<|^error|enum:'`),
    "kubectl explain pods.spec.containers.image | grep -P '^(KIND|VERSION|FIELD)'",
    "kubectl explain hpa --api-version=autoscaling/v1 | grep -P '^(GROUP|KIND|VERSION|FIELD)|\\t<'",
    "kubectl explain events --api-version=events.k8s.io/v1 | grep -P '^(GROUP|KIND|VERSION|FIELD)|\\t<'",
    "kubectl explain deployments --api-version=apps/v9",
    "kubectl explain deployments.nothing",
    "kubectl explain pods.spec.containers.nothing.more",
    "kubectl explain nothing",
    "kubectl explain pods --output=plaintext-openapiv2 | grep -P '^(KIND|VERSION)|\\t<'",
    "kubectl explain pods.spec --output=plaintext-openapiv2 --recursive | grep -P '^(KIND|VERSION)|\\t<'",
    "kubectl explain deployments.spec.replicas --output=plaintext-openapiv2 | grep -P '^(KIND|VERSION|FIELD)'",
    "kubectl explain pods --output=nonsense",
  ],
};
