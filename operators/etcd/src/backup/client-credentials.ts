import type { EtcdCredentials } from "../members/etcd-members.js";
import type { SecretData } from "./aws-secret.js";

const keys = { ca: "etcd-client-ca.crt", cert: "etcd-client.crt", key: "etcd-client.key" } as const;

/** The keys and certificates of a Secret for clients of etcd. Throws an error that names what is missing. */
export function clientCredentials(name: string, data: SecretData): EtcdCredentials {
  const text = (key: string): string => {
    const value = data?.[key];
    if (value === undefined) throw new Error(`Secret "${name}" must have the keys ${Object.values(keys).join(", ")}`);
    return Buffer.from(value, "base64").toString();
  };
  return { ca: text(keys.ca), cert: text(keys.cert), key: text(keys.key) };
}
