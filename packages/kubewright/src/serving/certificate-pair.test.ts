import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CertificateAuthority } from "@kubewright/core/certificates";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readCertificatePair } from "./certificate-pair.js";

const authority = new CertificateAuthority("test");
const [first, second] = ["first", "second"].map((name) => authority.issueServer(name, ["localhost"]));
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kubewright-pair-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function written(cert: string | undefined, key: string | undefined): Promise<string> {
  await writeFile(join(folder, "tls.crt"), cert ?? "");
  await writeFile(join(folder, "tls.key"), key ?? "");
  return folder;
}

test("the certificate and key of a mounted Secret are read", async () => {
  const pair = await readCertificatePair(await written(first?.certificate, first?.privateKey));
  expect(pair).toEqual({ cert: first?.certificate, key: first?.privateKey });
});

test("a certificate and key that do not match are rejected", async () => {
  await expect(readCertificatePair(await written(first?.certificate, second?.privateKey))).rejects.toThrow(
    "tls.key is not the key of tls.crt",
  );
});

test("empty and missing files are rejected with the directory", async () => {
  await expect(readCertificatePair(await written("", first?.privateKey))).rejects.toThrow(folder);
  await expect(readCertificatePair(await written(first?.certificate, ""))).rejects.toThrow(folder);
  await expect(readCertificatePair(join(folder, "none"))).rejects.toMatchObject({ code: "CONFIG_INVALID" });
});
