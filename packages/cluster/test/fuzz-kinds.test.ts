import fc from "fast-check";
import { expect, test } from "vitest";
import { startTestCluster } from "./test-cluster.js";

const inNamespace = "namespaces/default";
const paths = [
  `/api/v1/${inNamespace}/services`,
  `/api/v1/${inNamespace}/endpoints`,
  `/api/v1/${inNamespace}/persistentvolumeclaims`,
  `/api/v1/${inNamespace}/resourcequotas`,
  `/api/v1/${inNamespace}/limitranges`,
  `/api/v1/${inNamespace}/secrets`,
  "/api/v1/persistentvolumes",
  "/api/v1/nodes",
  `/apis/discovery.k8s.io/v1/${inNamespace}/endpointslices`,
  `/apis/networking.k8s.io/v1/${inNamespace}/ingresses`,
  `/apis/networking.k8s.io/v1/${inNamespace}/networkpolicies`,
  "/apis/networking.k8s.io/v1/ingressclasses",
  "/apis/networking.k8s.io/v1/servicecidrs",
  "/apis/storage.k8s.io/v1/storageclasses",
  "/apis/storage.k8s.io/v1/csidrivers",
  "/apis/storage.k8s.io/v1/csinodes",
  "/apis/storage.k8s.io/v1/volumeattachments",
  `/apis/rbac.authorization.k8s.io/v1/${inNamespace}/rolebindings`,
  "/apis/rbac.authorization.k8s.io/v1/clusterroles",
  "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
  "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
  "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas",
  "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations",
  "/apis/apiregistration.k8s.io/v1/apiservices",
  "/apis/node.k8s.io/v1/runtimeclasses",
  `/apis/resource.k8s.io/v1/${inNamespace}/resourceclaims`,
];

const names =
  "spec status type ports port nodePort name protocol targetPort clusterIP clusterIPs ipFamilies ipFamilyPolicy externalIPs " +
  "selector matchLabels sessionAffinity sessionAffinityConfig externalName externalTrafficPolicy loadBalancerSourceRanges " +
  "subsets addresses ip endpoints addressType rules host http paths path pathType backend service tls hosts defaultBackend " +
  "ingress egress from to ipBlock cidr except podSelector cidrs accessModes capacity storage resources requests limits hostPath " +
  "nfs csi local nodeAffinity dataSource hard scopes scopeSelector matchExpressions max min default taints key effect podCIDR " +
  "provisioner parameters drivers roleRef subjects kind verbs apiGroups aggregationRule webhooks clientConfig url operations " +
  "matchConstraints validations limited limitResponse queuing group version handler overhead scheduling tolerations devices " +
  "__proto__ constructor";
const keys = fc.constantFrom(...names.split(" "));
const strings =
  "|a|Bad Name|10.0.0.5|10.0.0.300|::1|fd00::/8|10.0.0.0/8|None|NodePort|LoadBalancer|ExternalName|ClientIP|IPv4|1Gi|-1|" +
  "https://a@b/c?d#e|/x//y|*|v1|Limited|Queue|Container|ServiceAccount|In";
const scalars = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer({ min: -5, max: 70_000 }),
  fc.constantFrom(...strings.split("|")),
);
const { value: bodies } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    scalars,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(keys, tie("value"), { maxKeys: 6 }),
  ),
}));

test("for any object content, a create of any kind never causes an internal error", async () => {
  const { post, get } = await startTestCluster();
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), bodies, fc.boolean(), async (path, value, isRoot) => {
      const body = { ...(isRoot ? (value as object | null) : { spec: value }), metadata: { name: `x${count++}` } };
      const { status, body: response } = await post(path, body);
      expect([status < 500, response.message]).toEqual([true, response.message]);
    }),
    { numRuns: 600 },
  );
  // Accepted objects can be listed.
  for (const path of paths) expect((await get(path)).status).toBe(200);
});
