import { CertificateAuthority } from "@kubewright/core/certificates";

/** Keeps small texts; a data folder does. */
export interface TextStore {
  readText(name: string): string | undefined;
  writeText(name: string, text: string): void;
}

const authorityName = "kubewright-ca";
const file = "authority.json";

/**
 * The authority that vouches for the server and signs certificates for others: one for the whole cluster, made when it is first asked for. With a
 * store it is kept, so that what it signed holds across restarts.
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

/** Undefined for what is not whole: then a new one is made. */
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
