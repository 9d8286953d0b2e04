import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { issueCertificate } from "./issue-certificate.js";
import { decodeState, encodeState } from "./secret-data.js";

const nowMs = Date.UTC(2030, 0, 1);
const issue = (names = ["hooks.default.svc", "10.0.0.7", "fd00::1"]) =>
  issueCertificate({
    commonName: "foo-webhooks",
    names,
    notBeforeMs: nowMs - 3_600_000,
    notAfterMs: nowMs + 7_200_000,
  });
const [first, second] = [issue(), issue()];
const state = {
  current: first.certificate,
  next: second.certificate,
  authorities: [first.authority, second.authority],
};
const text = (value: string): string => Buffer.from(value).toString("base64");

test("a state is read from a Secret as it was written, and other keys of the Secret stay", () => {
  const data = encodeState(state, { other: text("kept") });
  expect(decodeState(data)).toEqual({ state, problems: [] });
  expect(Object.keys(data).sort()).toEqual(["ca.crt", "next-tls.crt", "next-tls.key", "other", "tls.crt", "tls.key"]);
  const promoted = encodeState({ current: second.certificate, authorities: state.authorities }, data);
  expect(Object.keys(promoted).sort()).toEqual(["ca.crt", "other", "tls.crt", "tls.key"]);
});

test("without a current certificate the Secret has the keys that its type requires", () => {
  const waiting = { next: first.certificate, authorities: [first.authority] };
  const data = encodeState(waiting);
  expect(data).toMatchObject({ "tls.crt": "", "tls.key": "" });
  expect(decodeState(data)).toEqual({ state: waiting, problems: [] });
});

test("an issued certificate is valid for its names and times, signed by its CA, and the CA by no other key", () => {
  const leaf = new X509Certificate(first.certificate.certificate);
  const authority = new X509Certificate(first.authority.certificate);
  expect(leaf.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" });
  expect([Date.parse(leaf.validFrom), Date.parse(leaf.validTo)]).toEqual([nowMs - 3_600_000, nowMs + 7_200_000]);
  expect(Date.parse(authority.validTo)).toBe(nowMs + 7_200_000);
  expect(leaf.checkHost("hooks.default.svc")).toBe("hooks.default.svc");
  expect(first.certificate.names).toEqual(["hooks.default.svc", "10.0.0.7", "fd00::1"]);
  expect(leaf.verify(authority.publicKey)).toBe(true);
  expect(leaf.verify(new X509Certificate(second.authority.certificate).publicKey)).toBe(false);
});

test.each([
  ["no keys at all", {}, ["ca.crt contains no certificate"]],
  [
    "a missing CA",
    { ...encodeState(state), "ca.crt": "" },
    ["ca.crt contains no certificate", /tls.crt: no CA/, /next-/],
  ],
  ["a missing key", { ...encodeState(state), "tls.key": "" }, [/^tls.crt: /]],
  ["garbage", { ...encodeState(state), "tls.crt": text("garbage") }, [/^tls.crt: /]],
  ["a value that is not base64", { ...encodeState(state), "tls.crt": "%%%" }, [/^tls.crt: /]],
  [
    "the key of another certificate",
    { ...encodeState(state), "tls.key": text(second.certificate.privateKey) },
    ["tls.crt: the key is not the key of the certificate"],
  ],
  [
    "a certificate that no CA signed",
    { ...encodeState(state), "ca.crt": text(second.authority.certificate) },
    ["tls.crt: no CA of ca.crt signed the certificate"],
  ],
  [
    "a CA that is none",
    { ...encodeState(state), "ca.crt": text(first.authority.certificate + second.certificate.certificate) },
    ["ca.crt contains 1 invalid CA certificates", /^next-tls.crt: no CA/],
  ],
])("a Secret with %s is reported, and only what is valid becomes the state", (_, data, expected) => {
  const { problems, state: read } = decodeState(data);
  expect(problems).toEqual(
    expected.map((problem) => (typeof problem === "string" ? problem : expect.stringMatching(problem))),
  );
  if (problems.some((problem) => problem.startsWith("tls.crt"))) expect(read.current).toBeUndefined();
});
