import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { CertificateAuthority } from "./index.js";

test("CertificateAuthority issues a serving certificate for host names and IP addresses", () => {
  const authority = new CertificateAuthority("test-ca");
  const ca = new X509Certificate(authority.certificate);
  const { certificate, privateKey } = authority.issueServer("server", ["localhost", "127.0.0.1", "::1", "fe80::1:2"]);
  const leaf = new X509Certificate(certificate);
  expect(ca.ca).toBe(true);
  expect(leaf.ca).toBe(false);
  expect(leaf.checkIssued(ca)).toBe(true);
  expect(leaf.verify(ca.publicKey)).toBe(true);
  expect(leaf.checkHost("localhost")).toBe("localhost");
  expect(leaf.checkIP("127.0.0.1")).toBe("127.0.0.1");
  expect(leaf.subjectAltName).toContain("IP Address:0:0:0:0:0:0:0:1");
  expect(leaf.subjectAltName).toContain("IP Address:FE80:0:0:0:0:0:1:2");
  expect(privateKey).toContain("PRIVATE KEY");
});

test("CertificateAuthority issues a client certificate with user and group", () => {
  const authority = new CertificateAuthority("test-ca");
  const { certificate } = authority.issueClient({ commonName: "admin", organization: "system:masters" });
  const leaf = new X509Certificate(certificate);
  expect(leaf.subject).toBe("O=system:masters\nCN=admin");
  expect(leaf.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
  expect(leaf.verify(new X509Certificate(new CertificateAuthority("other").certificate).publicKey)).toBe(false);
});
