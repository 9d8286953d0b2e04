import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { TokenVerifier } from "./access/index.js";
import type { TextStore } from "./cluster-authority.js";
import type { TokenSigner } from "./registry/index.js";

const file = "service-account-key.pem";
const algorithm = "ES256";
const issuer = "https://kubernetes.default.svc.cluster.local";
/** The `iss` claim of tokens in Secrets of type service-account-token. */
const secretIssuer = "kubernetes/serviceaccount";

/**
 * Signs and verifies ServiceAccount tokens with the cluster's key, generated on first use. With a store it is persisted, so that tokens stay valid across
 * restarts.
 */
export function tokenSigner(kept?: TextStore): TokenSigner & TokenVerifier {
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
      // JWS signatures are r and s concatenated (IEEE P1363), not DER.
      const signature = sign("sha256", Buffer.from(text), { key: key.privateKey, dsaEncoding: "ieee-p1363" });
      return `${text}.${signature.toString("base64url")}`;
    },
    verify(token) {
      const [head = "", body = "", signature = "", ...rest] = token.split(".");
      const claims = decodePart(body);
      if (rest.length > 0 || (claims?.["iss"] !== issuer && claims?.["iss"] !== secretIssuer)) return undefined;
      const { privateKey, id } = theKey();
      const { alg, kid = id } = decodePart(head) ?? {};
      if (kid !== id) throw new Error("invalid signature, no keys found");
      const key = { key: createPublicKey(privateKey), dsaEncoding: "ieee-p1363" } as const;
      const isValid =
        alg === algorithm && verify("sha256", Buffer.from(`${head}.${body}`), key, Buffer.from(signature, "base64url"));
      if (!isValid) throw new Error("go-jose/go-jose: error in cryptographic primitive");
      return claims;
    },
  };
}

/** Undefined if a part of a JWT is no JSON object. */
function decodePart(part: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Adds the key ID that Kubernetes uses: the SHA-256 digest of the public key. */
function withId(privateKey: KeyObject): { readonly privateKey: KeyObject; readonly id: string } {
  const publicKey = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  return { privateKey, id: createHash("sha256").update(publicKey).digest("base64url") };
}

function newKey(kept: TextStore | undefined): KeyObject {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  kept?.writeText(file, privateKey.export({ type: "pkcs8", format: "pem" }).toString());
  return privateKey;
}

/** Undefined if the stored key is missing or cannot be parsed; a new one is then generated. */
function keptKey(kept: TextStore | undefined): KeyObject | undefined {
  const text = kept?.readText(file);
  if (text === undefined) return undefined;
  try {
    return createPrivateKey(text);
  } catch {
    return undefined;
  }
}
