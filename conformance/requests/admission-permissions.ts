import type { JsonObject } from "@kubewright/core/json";
import {
  type Extra,
  jsonPatch,
  mergePatch,
  post,
  put,
  type RequestStep,
  type Step,
  subject,
  wording,
} from "../test-case.js";
import { configMap, configMaps, object, pods } from "./sample-objects.js";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const outcome: Extra = { fields: ["kind", "metadata.name", "message", "reason", "details", "code"] };
const asJane: Extra = { ...outcome, headers: { "impersonate-user": "jane-{ns}" } };

const rule = (group: string, resources: string, verbs: string, resourceNames?: readonly string[]): JsonObject => ({
  apiGroups: [group],
  resources: resources.split(" "),
  verbs: verbs.split(" "),
  ...(resourceNames && { resourceNames }),
});
const bound = (kind: string, name: string, where: string): RequestStep =>
  post(
    `${rbac}${where}/${kind === "Role" ? "rolebindings" : "clusterrolebindings"}`,
    {
      metadata: { name },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "jane-{ns}" }],
    },
    { silent: true },
  );
/** Grants rules in the namespace, and waits until the server, which reads them from a cache, knows them. */
const grant = (...rules: JsonObject[]): Step[] => [
  post(`${rbac}/namespaces/{ns}/roles`, { metadata: { name: "r" }, rules }, { silent: true }),
  bound("Role", "r", "/namespaces/{ns}"),
  post(`${configMaps}?dryRun=All`, configMap("probe"), { ...asJane, until: { status: 201 }, silent: true }),
];
const writes = rule("", "configmaps", "create update patch get");
const ownerIs = (fields: JsonObject = {}): JsonObject => ({
  ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: "{owner}", ...fields }],
});
const blocking = { blockOwnerDeletion: true };
const owner = post(configMaps, configMap("owner"), { capture: { owner: "metadata.uid" }, silent: true });
const createOwned = (name: string, fields?: JsonObject): RequestStep =>
  post(configMaps, configMap(name, {}, ownerIs(fields)), asJane);

/** Common name `someone`; created with openssl. */
const request =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlITk1IUUNBUUF3RWpFUU1BNEdBMVVFQXd3SGMyOXRaVzl1WlRCWk1CTUdCeX" +
  "FHU000OUFnRUdDQ3FHU000OQpBd0VIQTBJQUJLWHlqYW5YemJkOXY0ZE5OVWdBL0IzNjFaR1o2V0xaaVJZd3ExWUtyR2x6eGlidHZYd0NqblM5" +
  "CkRicXd1aGxWNTFyV2F5RU5pNk9uREt0LzdYY3g1bU9nQURBS0JnZ3Foa2pPUFFRREFnTkpBREJHQWlFQTA3em0KNGRXZUQxTmM2NTFaQ1BiSD" +
  "VOZExJcFhyVVByanMzV2lZVHRlVjU4Q0lRQ29IM3U1T2hFZW4rWkkzUFNFT2ZndQo0azllQ2NtVVFCY2RsbDVFWUM0OWdnPT0KLS0tLS1FTkQg" +
  "Q0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==";
const csr: Step[] = [
  post(
    requests,
    { metadata: { name: "{ns}" }, spec: { request, signerName: "example.com/{ns}", usages: ["client auth"] } },
    { silent: true },
  ),
];
const grantAll = (...rules: JsonObject[]): Step[] => [
  post(
    `${rbac}/clusterroles`,
    { metadata: { name: "r-{ns}" }, rules: [rule("", "configmaps", "create"), ...rules] },
    { silent: true },
  ),
  bound("ClusterRole", "r-{ns}", ""),
  post(`${configMaps}?dryRun=All`, configMap("probe"), { ...asJane, until: { status: 201 }, silent: true }),
];
const approve: Step = mergePatch(
  `${requests}/{ns}/approval`,
  { status: { conditions: [{ type: "Approved", status: "True", reason: "r", message: "m" }] } },
  asJane,
);
const fail: Step = mergePatch(
  `${requests}/{ns}/status`,
  { status: { conditions: [{ type: "Failed", status: "True", reason: "r", message: "m" }] } },
  asJane,
);
const mayApprove = rule("certificates.k8s.io", "certificatesigningrequests/approval", "update patch");
const maySign = rule("certificates.k8s.io", "certificatesigningrequests/status", "update patch");

/** What admission plugins ask the authorizer. */
export const admissionPermissions = subject(
  "admission-permissions",
  {
    "an owner that is not blocked needs no permission": wording(owner, grant(writes), createOwned("a")),
    "an owner is blocked only with the permission to update its finalizers": wording(
      owner,
      grant(writes),
      createOwned("a", blocking),
      createOwned("b", { blockOwnerDeletion: false }),
    ),
    "the permission to update finalizers allows to block an owner": wording(
      owner,
      grant(writes, rule("", "configmaps/finalizers", "update", ["owner"])),
      createOwned("a", blocking),
      createOwned("b", { ...blocking, name: "other" }),
    ),
    "the permission to update the finalizers of everything allows to block any owner": wording(
      owner,
      grantAll(rule("*", "*/finalizers", "update")),
      createOwned("a", blocking),
      createOwned("b", { ...blocking, kind: "Unknown" }),
    ),
    "an owner of an unknown kind cannot be blocked": wording(
      owner,
      grant(writes),
      createOwned("a", { ...blocking, kind: "Unknown" }),
      createOwned("b", { ...blocking, apiVersion: "none.example.com/v1" }),
      createOwned("c", { kind: "Unknown" }),
    ),
    "owners of an object change only with the permission to delete it": wording(
      owner,
      grant(writes),
      post(configMaps, configMap("a"), asJane),
      mergePatch(`${configMaps}/a`, { metadata: ownerIs() }, asJane),
      put(`${configMaps}/a`, configMap("a", {}, ownerIs()), asJane),
      mergePatch(`${configMaps}/a`, { data: { k: "1" } }, asJane),
    ),
    "the permission to delete an object allows to change its owners": wording(
      owner,
      grant(writes, rule("", "configmaps", "delete", ["a"])),
      post(configMaps, configMap("a"), asJane),
      post(configMaps, configMap("b"), asJane),
      mergePatch(`${configMaps}/a`, { metadata: ownerIs() }, asJane),
      mergePatch(`${configMaps}/a`, { metadata: ownerIs(blocking) }, asJane),
      mergePatch(`${configMaps}/b`, { metadata: ownerIs() }, asJane),
      jsonPatch(`${configMaps}/a`, [{ op: "remove", path: "/metadata/ownerReferences" }], asJane),
    ),
    "an administrator changes owners and blocks them": wording(
      owner,
      post(configMaps, configMap("a", {}, ownerIs(blocking)), outcome),
      mergePatch(`${configMaps}/a`, { metadata: ownerIs({ kind: "Unknown" }) }, outcome),
    ),
    "a CertificateSigningRequest is approved only with the permission for its signer": wording(
      ...csr,
      grantAll(mayApprove),
      approve,
    ),
    "the verb approve of a signer allows to approve": wording(
      ...csr,
      grantAll(mayApprove, rule("certificates.k8s.io", "signers", "approve", ["example.com/{ns}"])),
      approve,
    ),
    "the verb approve of all signers of a domain allows to approve": wording(
      ...csr,
      grantAll(mayApprove, rule("certificates.k8s.io", "signers", "approve", ["example.com/*"])),
      approve,
    ),
    "the verb sign does not allow to approve": wording(
      ...csr,
      grantAll(mayApprove, rule("certificates.k8s.io", "signers", "sign")),
      approve,
    ),
    "a CertificateSigningRequest is signed only with the permission for its signer": wording(
      ...csr,
      grantAll(maySign),
      fail,
      mergePatch(`${requests}/{ns}/status`, { metadata: { labels: { a: "b" } } }, asJane),
    ),
    "the verb sign of a signer allows to sign": wording(
      ...csr,
      grantAll(maySign, rule("certificates.k8s.io", "signers", "sign", ["example.com/{ns}"])),
      fail,
    ),
    "a pod is created with the ServiceAccount default by a user without permissions for ServiceAccounts": wording(
      grant(writes, rule("", "pods", "create")),
      post(pods, object("v1", "Pod", "a", { spec: { containers: [{ name: "main", image: "a:1" }] } }), asJane),
      post(
        pods,
        object("v1", "Pod", "b", {
          spec: { serviceAccountName: "none", containers: [{ name: "main", image: "a:1" }] },
        }),
        asJane,
      ),
    ),
  },
  "admission",
);
