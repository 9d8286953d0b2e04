import { createPrivateKey, createPublicKey, verify } from "node:crypto";
import { expect, test } from "vitest";
import { tokenSigner } from "./token-signer.js";

function folder(files = new Map<string, string>()) {
  return {
    files,
    readText: (name: string) => files.get(name),
    writeText: (name: string, text: string) => void files.set(name, text),
  };
}

test("a token carries its claims and a signature by the cluster's key", () => {
  const kept = folder();
  const [head = "", claims = "", signature = ""] = tokenSigner(kept).sign({ sub: "a" }).split(".");
  expect(JSON.parse(Buffer.from(head, "base64url").toString())).toMatchObject({ alg: "ES256" });
  expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toEqual({ sub: "a" });
  const [pem = ""] = kept.files.values();
  const key = { key: createPublicKey(createPrivateKey(pem)), dsaEncoding: "ieee-p1363" } as const;
  const isSigned = (text: string) => verify("sha256", Buffer.from(text), key, Buffer.from(signature, "base64url"));
  expect([isSigned(`${head}.${claims}`), isSigned(`${head}.${claims}x`)]).toEqual([true, false]);
});

test("the key is generated once, is persisted, and is replaced if the stored key cannot be parsed", () => {
  const kept = folder();
  const keyOf = (store: ReturnType<typeof folder>) => tokenSigner(store).sign({}).split(".")[0];
  expect(keyOf(kept)).toBe(keyOf(kept));
  expect(keyOf(folder())).not.toBe(keyOf(kept));
  for (const name of kept.files.keys()) kept.files.set(name, "nonsense");
  expect(keyOf(kept)).toBe(keyOf(kept));
});

test("the public key verifies signed tokens and has the key ID that tokens carry", () => {
  const signer = tokenSigner();
  const [head = "", claims = "", signature = ""] = signer.sign({ sub: "a" }).split(".");
  const { kid, alg, use, ...rest } = signer.publicKey();
  expect(JSON.parse(Buffer.from(head, "base64url").toString())).toEqual({ alg, kid });
  expect(use).toBe("sig");
  const key = { key: createPublicKey({ key: rest, format: "jwk" }), dsaEncoding: "ieee-p1363" } as const;
  expect(verify("sha256", Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, "base64url"))).toBe(true);
});
