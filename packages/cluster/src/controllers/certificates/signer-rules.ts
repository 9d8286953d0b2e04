import type { CertificateRequest } from "@kubewright/core/certificates";

/** The signer of kubelets' client certificates. */
export const kubeletClientSigner = "kubernetes.io/kube-apiserver-client-kubelet";

/** Returns kube-controller-manager's message if the signer does not allow a CSR. */
type SignerRule = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

/** The signers that the cluster CA implements. */
export const signerRules: ReadonlyMap<string, SignerRule> = new Map<string, SignerRule>([
  ["kubernetes.io/kube-apiserver-client", (_, usages) => checkClientUsages(usages)],
  [kubeletClientSigner, checkKubeletClient],
  ["kubernetes.io/kubelet-serving", checkKubeletServing],
  ["kubernetes.io/legacy-unknown", () => undefined],
]);

function checkClientUsages(usages: readonly string[]): string | undefined {
  const invalid = usages.find((usage) => !["digital signature", "key encipherment", "client auth"].includes(usage));
  if (invalid !== undefined) return `invalid usage for client certificate: ${invalid}`;
  return usages.includes("client auth") ? undefined : "missing required usage for client certificate: client auth";
}

/** Why a CSR is not a valid kubelet client CSR; undefined if it is valid. */
export function checkKubeletClient(request: CertificateRequest, usages: readonly string[]): string | undefined {
  if (!isNodeOrganization(request)) return "subject organization is not system:nodes";
  if (request.dnsNames.length > 0) return "DNS subjectAltNames are not allowed";
  if (request.emailAddresses.length > 0) return "Email subjectAltNames are not allowed";
  if (request.ipAddressCount > 0) return "IP subjectAltNames are not allowed";
  if (request.uris.length > 0) return "URI subjectAltNames are not allowed";
  return checkName(request) ?? checkUsages(usages, "client auth");
}

function checkKubeletServing(request: CertificateRequest, usages: readonly string[]): string | undefined {
  if (!isNodeOrganization(request)) return "subject organization is not system:nodes";
  if (request.dnsNames.length + request.ipAddressCount === 0) return "DNS or IP subjectAltName is required";
  if (request.emailAddresses.length > 0) return "Email subjectAltNames are not allowed";
  if (request.uris.length > 0) return "URI subjectAltNames are not allowed";
  return checkUsages(usages, "server auth") ?? checkName(request);
}

function isNodeOrganization({ organizations }: CertificateRequest): boolean {
  return organizations.length === 1 && organizations[0] === "system:nodes";
}

function checkName({ commonName }: CertificateRequest): string | undefined {
  return commonName.startsWith("system:node:") ? undefined : "subject common name does not begin with system:node:";
}

/** Requires exactly these usages; "key encipherment" is optional. */
function checkUsages(usages: readonly string[], purpose: string): string | undefined {
  const required = [purpose, "digital signature", "key encipherment"].sort();
  const given = new Set([...usages, "key encipherment"]);
  const isSame = given.size === required.length && required.every((usage) => given.has(usage));
  return isSame ? undefined : `usages did not match [${required.join(" ")}]`;
}
