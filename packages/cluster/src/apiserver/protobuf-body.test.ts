import { expect, test } from "vitest";
import { decodeProtobuf } from "./protobuf-body.js";

/** A length-delimited field. */
function field(number: number, inner: string | Uint8Array): Buffer {
  const bytes = Buffer.from(inner as string);
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
}

function number(at: number, value: number): Buffer {
  return Buffer.from([at << 3, value]);
}

function body(apiVersion: string, kind: string, raw: Buffer): Buffer {
  const typeMeta = Buffer.concat([field(1, apiVersion), field(2, kind)]);
  return Buffer.concat([Buffer.from("k8s\0"), field(1, typeMeta), field(2, raw)]);
}

test("a Secret decodes to its JSON form", () => {
  const metadata = Buffer.concat([field(1, "a"), field(2, ""), field(5, ""), number(7, 0), field(8, "")]);
  const entry = Buffer.concat([field(1, "token"), field(2, "hi")]);
  const secret = Buffer.concat([field(1, metadata), field(2, entry), field(3, "Opaque"), number(5, 0)]);
  expect(decodeProtobuf(body("v1", "Secret", secret))).toEqual({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "a" },
    data: { token: "aGk=" },
    type: "Opaque",
    immutable: false,
  });
});

test("inline structs, quantities and IntOrString decode to their JSON form", () => {
  const port = Buffer.concat([
    field(1, "http"),
    number(3, 80),
    field(4, Buffer.concat([number(1, 1), field(3, "web")])),
  ]);
  expect(decodeProtobuf(body("v1", "Service", field(2, field(1, port))))).toMatchObject({
    spec: { ports: [{ name: "http", port: 80, targetPort: "web" }] },
  });
  const volume = Buffer.concat([field(1, "cache"), field(2, field(2, field(2, field(1, "1Gi"))))]);
  expect(decodeProtobuf(body("v1", "Pod", field(2, field(1, volume))))).toMatchObject({
    spec: { volumes: [{ name: "cache", emptyDir: { sizeLimit: "1Gi" } }] },
  });
});

test("a key named __proto__ is an ordinary key", () => {
  const entry = Buffer.concat([field(1, "__proto__"), field(2, "x")]);
  const decoded = decodeProtobuf(body("v1", "ConfigMap", field(2, entry)));
  expect(Object.keys(decoded["data"] as object)).toEqual(["__proto__"]);
});

test("bytes that are not a protobuf object are rejected", () => {
  expect(() => decodeProtobuf(Buffer.from("{}"))).toThrow("does not appear to be a protobuf message");
  expect(() => decodeProtobuf(body("v1", "Odd", Buffer.alloc(0)))).toThrow('no kind "Odd" is registered');
  expect(() => decodeProtobuf(Buffer.concat([Buffer.from("k8s\0"), Buffer.from([0x0a, 0x7f, 1])]))).toThrow("EOF");
});
