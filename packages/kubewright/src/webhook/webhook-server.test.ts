import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request as httpsRequest } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { CertificateAuthority } from "@kubewright/core/certificates";
import { type Logger, silentLogger } from "@kubewright/core/log";
import { expect, test } from "vitest";
import { z } from "zod";
import { defineResource } from "../definition/index.js";
import { serveWebhooks, type WebhookServer } from "./index.js";

const Pool = defineResource({
  group: "example.com",
  kind: "Pool",
  hub: "v2",
  versions: { v1: { spec: z.object({ size: z.int32() }) }, v2: { spec: z.object({ replicas: z.int32() }) } },
  convert: {
    v1: {
      toHub: ({ spec }) => ({ spec: { replicas: spec.size } }),
      fromHub: ({ spec }) => ({ spec: { size: spec.replicas } }),
    },
  },
});
const authority = new CertificateAuthority("test");
const certificateOf = (name: string) => authority.issueServer(name, ["localhost", "127.0.0.1"]);

interface Reply {
  readonly status: number | undefined;
  readonly body: unknown;
  readonly servedBy: string;
}
const call = ({ port }: WebhookServer, path: string, body: string, method = "POST"): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const options = { port, path, method, host: "localhost", ca: authority.certificate, agent: false };
    const outgoing = httpsRequest(options, async (incoming) => {
      const servedBy = (incoming.socket as TLSSocket).getPeerCertificate().subject.CN ?? "";
      const text = (await incoming.toArray()).join("");
      resolve({
        status: incoming.statusCode,
        body: text === "" ? undefined : JSON.parse(text),
        servedBy: String(servedBy),
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
const review = (desiredAPIVersion: string, ...objects: object[]): string =>
  JSON.stringify({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "ConversionReview",
    request: { uid: "u", desiredAPIVersion, objects },
  });
const one = { apiVersion: "example.com/v1", kind: "Pool", metadata: { name: "a" }, spec: { size: 3 } };

test("a ConversionReview returns its objects converted in order; an object that cannot be converted fails the review with its message", async () => {
  await using server = await serveWebhooks({
    resources: [Pool],
    address: "127.0.0.1:0",
    certificate: certificateOf("hooks"),
  });
  const two = { ...one, metadata: { name: "b" }, spec: { size: 4 } };
  const { status, body } = await call(server, "/convert?timeout=30s", review("example.com/v2", one, two));
  expect(status).toBe(200);
  expect(body).toEqual({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "ConversionReview",
    response: {
      uid: "u",
      convertedObjects: [
        { ...one, apiVersion: "example.com/v2", spec: { replicas: 3 } },
        { ...two, apiVersion: "example.com/v2", spec: { replicas: 4 } },
      ],
      result: { status: "Success" },
    },
  });
  const failed = await call(server, "/convert", review("example.com/v2", one, { ...one, kind: "Other" }));
  expect(failed.body).toMatchObject({
    response: {
      uid: "u",
      result: {
        status: "Failure",
        message: 'Cannot convert Other to "example.com/v2": this webhook does not convert this kind',
      },
    },
  });
});

test("other paths, other methods, invalid reviews and too large bodies are rejected, and the server keeps serving", async () => {
  const certificate = certificateOf("hooks");
  await using server = await serveWebhooks({
    resources: [Pool],
    address: "127.0.0.1:0",
    certificate,
    maxBodyBytes: 1_000,
  });
  expect((await call(server, "/other", "{}")).status).toBe(404);
  expect((await call(server, "/convert", "", "GET")).status).toBe(405);
  expect((await call(server, "/convert", "{")).status).toBe(400);
  expect((await call(server, "/convert", '{"kind":"ConversionReview"}')).status).toBe(400);
  expect((await call(server, "/convert", "x".repeat(2_000))).status).toBe(413);
  expect((await call(server, "/convert", review("example.com/v2", one))).status).toBe(200);
});

test("the certificate is read from certDir, and reloaded when it changes", async () => {
  const folder = await mkdtemp(join(tmpdir(), "kubewright-webhook-"));
  const write = async (name: string): Promise<void> => {
    const { certificate, privateKey } = certificateOf(name);
    await writeFile(join(folder, "tls.key"), privateKey);
    await writeFile(join(folder, "tls.crt"), certificate);
  };
  try {
    await expect(serveWebhooks({ resources: [], certDir: folder })).rejects.toThrow("Cannot read the certificate");
    await write("first");
    let onReload = (): void => {};
    const reloaded = new Promise<void>((resolve) => {
      onReload = resolve;
    });
    const logger: Logger = {
      ...silentLogger,
      info: (_fields: unknown, message: string) => message.includes("Reloaded") && onReload(),
    };
    const address = "127.0.0.1:0";
    await using server = await serveWebhooks({ resources: [Pool], address, certDir: folder, logger });
    expect((await call(server, "/convert", "{}")).servedBy).toBe("first");
    await write("second");
    await reloaded;
    expect((await call(server, "/convert", "{}")).servedBy).toBe("second");
  } finally {
    await rm(folder, { recursive: true });
  }
});
