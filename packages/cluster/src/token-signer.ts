import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import type { TextStore } from "./cluster-authority.js";
import type { TokenSigner } from "./registry/index.js";

const file = "service-account-key.pem";
const algorithm = "ES256";
const issuer = "https://kubernetes.default.svc.cluster.local";

/**
 * Signs tokens of service accounts with a key of the cluster's own, made when it is first used. With a store it is kept, so that tokens hold
 * across restarts.
 */
export function tokenSigner(kept?: TextStore): TokenSigner {
  let made: { readonly privateKey: KeyObject; readonly id: string } | undefined;
  const theKey = (): { readonly privateKey: KeyObject; readonly id: string } => {
    made ??= withId(keptKey(kept) ?? newKey(kept));
    return made;
  };
  return {
    issuer,
    publicKey() {
      const { privateKey, id } = theKey();
      const { kty = "", crv = "", x = "", y = "" } = createPublicKey(privateKey).export({ format: "jwk" });
      return { use: "sig", kty, kid: id, crv, alg: algorithm, x, y };
    },
    sign(claims) {
      const key = theKey();
      const head = { alg: algorithm, kid: key.id };
      const text = [head, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
      // Tokens carry both numbers of the signature side by side, not in the form of certificates.
      const signature = sign("sha256", Buffer.from(text), { key: key.privateKey, dsaEncoding: "ieee-p1363" });
      return `${text}.${signature.toString("base64url")}`;
    },
  };
}

/** Keys are named as Kubernetes names them: by the digest of the public one. */
function withId(privateKey: KeyObject): { readonly privateKey: KeyObject; readonly id: string } {
  const publicKey = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  return { privateKey, id: createHash("sha256").update(publicKey).digest("base64url") };
}

function newKey(kept: TextStore | undefined): KeyObject {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  kept?.writeText(file, privateKey.export({ type: "pkcs8", format: "pem" }).toString());
  return privateKey;
}

/** Undefined for what is no key: then a new one is made. */
function keptKey(kept: TextStore | undefined): KeyObject | undefined {
  const text = kept?.readText(file);
  if (text === undefined) return undefined;
  try {
    return createPrivateKey(text);
  } catch {
    return undefined;
  }
}
