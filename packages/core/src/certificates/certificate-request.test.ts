import { X509Certificate } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { CertificateAuthority, parseCertificateRequest } from "./index.js";

/** A CSR for `system:node:n1` in `system:nodes`, with DNS name n1; generated with openssl. */
const serving = Buffer.from(
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJQkN6Q0JzZ0lCQURBd01SVXdFd1lEVlFRS0RBeHplWE4wWlcwNmJtOWtaWE" +
    "14RnpBVkJnTlZCQU1NRG5ONQpjM1JsYlRwdWIyUmxPbTR4TUZrd0V3WUhLb1pJemowQ0FRWUlLb1pJemowREFRY0RRZ0FFT1U1RzRrSnVOVGhu" +
    "CkhKdVFwczQ5MkYvbWZ5Y3BrVlVrazY5a29waWpIZ1p6emJuV2Z2bjBraDlNaU1JWnhURE9SU2RtdGgxVUlsUE8KWjJEMm9RT3dES0FnTUI0R0" +
    "NTcUdTSWIzRFFFSkRqRVJNQTh3RFFZRFZSMFJCQVl3QklJQ2JqRXdDZ1lJS29aSQp6ajBFQXdJRFNBQXdSUUlnWHltWUN0TVF4bkxjUkZETGh3" +
    "Q2V3R0RYK2kxalBFbS9Rck5RN0krZElia0NJUUNOCloxM0Z5eTlOZmJORlNmVzcwMFBSdHYwMXNLcU1VVVBXK29OMlZGNFhwUT09Ci0tLS0tRU" +
    "5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=",
  "base64",
).toString("latin1");

test("an exported and imported CA signs a CSR with the given usages and validity", () => {
  const first = new CertificateAuthority("test-ca");
  const authority = new CertificateAuthority("test-ca", first.export());
  const request = parseCertificateRequest(serving);
  expect(request).toMatchObject({
    commonName: "system:node:n1",
    organizations: ["system:nodes"],
    dnsNames: ["n1"],
    isSigned: true,
  });
  const [notBeforeMs, notAfterMs] = [Date.UTC(2024, 0, 1), Date.UTC(2060, 0, 1)];
  const usages = ["digital signature", "key encipherment", "server auth", "decipher only"];
  const leaf = new X509Certificate(authority.signRequest(request, { usages, notBeforeMs, notAfterMs }));
  expect(leaf.subject).toBe("O=system:nodes\nCN=system:node:n1");
  expect(leaf.subjectAltName).toBe("DNS:n1");
  expect(leaf.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
  expect(leaf.publicKey.equals(request.publicKey)).toBe(true);
  expect(leaf.verify(new X509Certificate(first.certificate).publicKey)).toBe(true);
  expect([leaf.validFrom, leaf.validTo]).toEqual(["Jan  1 00:00:00 2024 GMT", "Dec 31 23:59:59 2049 GMT"]);
  expect(() => new CertificateAuthority("other", first.export())).toThrow("another subject or another key");
});

test("a CSR with a changed byte does not parse, or its signature does not verify", () => {
  const body = Buffer.from(serving.replace(/-----[^-]+-----/g, ""), "base64");
  fc.assert(
    fc.property(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const changed = Buffer.from(body);
      changed[at] = (changed[at] ?? 0) ^ flip;
      const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${changed.toString("base64")}\n-----END CERTIFICATE REQUEST-----\n`;
      try {
        expect(parseCertificateRequest(pem).isSigned).toBe(false);
      } catch (error) {
        if (error instanceof Error && error.name === "AssertionError") throw error;
      }
    }),
    { numRuns: 200 },
  );
});
