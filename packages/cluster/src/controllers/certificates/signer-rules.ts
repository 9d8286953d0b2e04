import type { CertificateRequest } from "@kubewright/core/certificates";

/** Signs for kubelets, as clients of the server. */
export const kubeletClientSigner = "kubernetes.io/kube-apiserver-client-kubelet";

/** What is wrong with a request for a signer, in the words of a real controller; undefined when it may be signed. */
type SignerRule = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

/** The signers whose requests the cluster's authority signs. */
export const signerRules: ReadonlyMap<string, SignerRule> = new Map<string, SignerRule>([
  ["kubernetes.io/kube-apiserver-client", (_, usages) => checkClientUsages(usages)],
  [kubeletClientSigner, checkKubeletClient],
  ["kubernetes.io/kubelet-serving", checkKubeletServing],
  ["kubernetes.io/legacy-unknown", () => undefined],
]);

function checkClientUsages(usages: readonly string[]): string | undefined {
  const strange = usages.find((usage) => !["digital signature", "key encipherment", "client auth"].includes(usage));
  if (strange !== undefined) return `invalid usage for client certificate: ${strange}`;
  return usages.includes("client auth") ? undefined : "missing required usage for client certificate: client auth";
}

/** What is wrong with a request of a kubelet that wants to be a client. */
export function checkKubeletClient(request: CertificateRequest, usages: readonly string[]): string | undefined {
  if (!isOfNodes(request)) return "subject organization is not system:nodes";
  if (request.dnsNames.length > 0) return "DNS subjectAltNames are not allowed";
  if (request.emailAddresses.length > 0) return "Email subjectAltNames are not allowed";
  if (request.ipAddressCount > 0) return "IP subjectAltNames are not allowed";
  if (request.uris.length > 0) return "URI subjectAltNames are not allowed";
  return checkName(request) ?? checkUsages(usages, "client auth");
}

function checkKubeletServing(request: CertificateRequest, usages: readonly string[]): string | undefined {
  if (!isOfNodes(request)) return "subject organization is not system:nodes";
  if (request.dnsNames.length + request.ipAddressCount === 0) return "DNS or IP subjectAltName is required";
  if (request.emailAddresses.length > 0) return "Email subjectAltNames are not allowed";
  if (request.uris.length > 0) return "URI subjectAltNames are not allowed";
  return checkUsages(usages, "server auth") ?? checkName(request);
}

function isOfNodes({ organizations }: CertificateRequest): boolean {
  return organizations.length === 1 && organizations[0] === "system:nodes";
}

function checkName({ commonName }: CertificateRequest): string | undefined {
  return commonName.startsWith("system:node:") ? undefined : "subject common name does not begin with system:node:";
}

/** Exactly these, the key's encipherment or not. */
function checkUsages(usages: readonly string[], purpose: string): string | undefined {
  const wanted = [purpose, "digital signature", "key encipherment"].sort();
  const given = new Set([...usages, "key encipherment"]);
  const isSame = given.size === wanted.length && wanted.every((usage) => given.has(usage));
  return isSame ? undefined : `usages did not match [${wanted.join(" ")}]`;
}
