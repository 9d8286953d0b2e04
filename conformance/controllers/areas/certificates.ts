import type { JsonObject } from "@kubewright/core/json";
import { area, withOptions } from "../scenario.js";
import { create, patch, type Ref, remove, type Step, together } from "../step.js";

/** A CSR for `system:node:n1` of `system:nodes`: PEM in base64. */
const nodeRequest =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIc01JR1NBZ0VBTURBeEZUQVRCZ05WQkFvTURITjVjM1JsYlRwdWIyUmxjek" +
  "VYTUJVR0ExVUVBd3dPYzNsegpkR1Z0T201dlpHVTZiakV3V1RBVEJnY3Foa2pPUFFJQkJnZ3Foa2pPUFFNQkJ3TkNBQVNjeVpDR2JzcCswZUhz" +
  "CkN3NGs3b2VBY1FOM2draG9BV0U1QmlyT1dvTmg5aDlXUEMvcXN3NE1EdnB1ZDErejNNNlVlYXIrczhSdnJhTEIKUkxUdWRJaXpvQUF3Q2dZSU" +
  "tvWkl6ajBFQXdJRFNRQXdSZ0loQU12aUJuTjVnbXpndktzWTNoOFpOWmxTNFZwZApyVHErbEhScUxIL3lVRlFOQWlFQTJtQk5mZ0d0ZEYzRzcv" +
  "b0tMdVNMUTVZOHZlV3pBTmpCMklXQkpPa3p1MWs9Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=";

/** The same with the DNS name n1. */
const servingRequest =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJQkN6Q0JzZ0lCQURBd01SVXdFd1lEVlFRS0RBeHplWE4wWlcwNmJtOWtaWE" +
  "14RnpBVkJnTlZCQU1NRG5ONQpjM1JsYlRwdWIyUmxPbTR4TUZrd0V3WUhLb1pJemowQ0FRWUlLb1pJemowREFRY0RRZ0FFT1U1RzRrSnVOVGhu" +
  "CkhKdVFwczQ5MkYvbWZ5Y3BrVlVrazY5a29waWpIZ1p6emJuV2Z2bjBraDlNaU1JWnhURE9SU2RtdGgxVUlsUE8KWjJEMm9RT3dES0FnTUI0R0" +
  "NTcUdTSWIzRFFFSkRqRVJNQTh3RFFZRFZSMFJCQVl3QklJQ2JqRXdDZ1lJS29aSQp6ajBFQXdJRFNBQXdSUUlnWHltWUN0TVF4bkxjUkZETGh3" +
  "Q2V3R0RYK2kxalBFbS9Rck5RN0krZElia0NJUUNOCloxM0Z5eTlOZmJORlNmVzcwMFBSdHYwMXNLcU1VVVBXK29OMlZGNFhwUT09Ci0tLS0tRU" +
  "5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=";

/** A CSR for `someone`. */
const userRequest =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlITk1IUUNBUUF3RWpFUU1BNEdBMVVFQXd3SGMyOXRaVzl1WlRCWk1CTUdCeX" +
  "FHU000OUFnRUdDQ3FHU000OQpBd0VIQTBJQUJLWHlqYW5YemJkOXY0ZE5OVWdBL0IzNjFaR1o2V0xaaVJZd3ExWUtyR2x6eGlidHZYd0NqblM5" +
  "CkRicXd1aGxWNTFyV2F5RU5pNk9uREt0LzdYY3g1bU9nQURBS0JnZ3Foa2pPUFFRREFnTkpBREJHQWlFQTA3em0KNGRXZUQxTmM2NTFaQ1BiSD" +
  "VOZExJcFhyVVByanMzV2lZVHRlVjU4Q0lRQ29IM3U1T2hFZW4rWkkzUFNFT2ZndQo0azllQ2NtVVFCY2RsbDVFWUM0OWdnPT0KLS0tLS1FTkQg" +
  "Q0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==";

const clientUsages = ["digital signature", "client auth"];

function request(name: string, signerName: string, pem: string, usages = clientUsages): JsonObject {
  const spec = { request: pem, signerName, usages, expirationSeconds: 7200 };
  return {
    apiVersion: "certificates.k8s.io/v1",
    kind: "CertificateSigningRequest",
    metadata: { name: `${name}-{ns}` },
    spec,
  };
}

function decide(name: string, type: "Approved" | "Denied") {
  const ref: Ref = `certificatesigningrequests/${name}-{ns}`;
  return patch(
    ref,
    { status: { conditions: [{ type, status: "True", reason: "Test", message: "decided by hand" }] } },
    "approval",
  );
}

const rbac = "rbac.authorization.k8s.io";

/** Allows a group of the scenario to create CSRs, and to create `part` of them. */
function allow(part: "nodeclient" | "selfnodeclient", group: string): Step {
  const metadata = { name: `${part}-{ns}` };
  const subjects = [{ apiGroup: rbac, kind: "Group", name: group }];
  const resources = ["certificatesigningrequests", `certificatesigningrequests/${part}`];
  return together(
    create({
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRole",
      metadata,
      rules: [{ apiGroups: ["certificates.k8s.io"], resources, verbs: ["create"] }],
    }),
    create({
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRoleBinding",
      metadata,
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name: `${part}-{ns}` },
      subjects,
    }),
  );
}

function forbid(part: "nodeclient" | "selfnodeclient"): Step {
  return together(remove(`clusterrolebindings/${part}-{ns}`), remove(`clusterroles/${part}-{ns}`));
}

const kubeletSigner = "kubernetes.io/kube-apiserver-client-kubelet";

/** The CSR approving and signing controllers. */
export const certificatesArea = area("certificates", {
  "approved CertificateSigningRequests that fit their signer are signed": withOptions(
    { kinds: ["CertificateSigningRequest"] },
    [
      create(request("user", "kubernetes.io/kube-apiserver-client", userRequest)),
      decide("user", "Approved"),
      create(request("denied", "kubernetes.io/kube-apiserver-client", userRequest)),
      decide("denied", "Denied"),
      create(request("node", "kubernetes.io/kube-apiserver-client-kubelet", nodeRequest)),
      create(request("nobody", "kubernetes.io/kube-apiserver-client-kubelet", userRequest)),
      decide("nobody", "Approved"),
      create(request("serving", "kubernetes.io/kubelet-serving", servingRequest, ["digital signature", "server auth"])),
      decide("serving", "Approved"),
      create(request("usages", "kubernetes.io/kube-apiserver-client", userRequest, ["server auth"])),
      decide("usages", "Approved"),
      create(request("other", "example.com/own", userRequest)),
      decide("other", "Approved"),
      remove("certificatesigningrequests/user-{ns}"),
    ],
  ),
  "a kubelet's CertificateSigningRequest is approved only if its requester may create nodeclient or selfnodeclient":
    withOptions({ kinds: ["CertificateSigningRequest"] }, [
      allow("selfnodeclient", "{ns}-kubelets"),
      create(request("own", kubeletSigner, nodeRequest), { user: "system:node:n1", group: "{ns}-kubelets" }),
      create(request("other", kubeletSigner, nodeRequest), { user: "system:node:n2", group: "{ns}-kubelets" }),
      allow("nodeclient", "{ns}-bootstrappers"),
      create(request("bootstrap", kubeletSigner, nodeRequest), { user: "joe", group: "{ns}-bootstrappers" }),
      forbid("selfnodeclient"),
      create(request("both", kubeletSigner, nodeRequest), { user: "system:node:n1", group: "{ns}-bootstrappers" }),
      forbid("nodeclient"),
    ]),
});
