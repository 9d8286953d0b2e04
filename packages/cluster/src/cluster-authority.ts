import { CertificateAuthority } from "@kubewright/core/certificates";

/** Persists small text files. `DataFolder` implements it. */
export interface TextStore {
  readText(name: string): string | undefined;
  writeText(name: string, text: string): void;
}

const authorityName = "kubewright-ca";
const file = "authority.json";

/**
 * The CA of the cluster, generated on first use. It signs the serving certificate and client certificates. With a store it is persisted, so
 * that certificates stay valid across restarts.
 */
export function clusterAuthority(kept?: TextStore): () => CertificateAuthority {
  let made: CertificateAuthority | undefined;
  return () => {
    made ??= keptAuthority(kept) ?? newAuthority(kept);
    return made;
  };
}

function newAuthority(kept: TextStore | undefined): CertificateAuthority {
  const authority = new CertificateAuthority(authorityName);
  kept?.writeText(file, `${JSON.stringify(authority.export())}\n`);
  return authority;
}

/** Undefined if the stored CA is missing or cannot be parsed; a new one is then generated. */
function keptAuthority(kept: TextStore | undefined): CertificateAuthority | undefined {
  const text = kept?.readText(file);
  if (text === undefined) return undefined;
  try {
    const { certificate, privateKey } = Object(JSON.parse(text)) as { certificate?: unknown; privateKey?: unknown };
    return new CertificateAuthority(authorityName, {
      certificate: String(certificate),
      privateKey: String(privateKey),
    });
  } catch {
    return undefined;
  }
}
