import { expect, test } from "vitest";
import { builtinSchema } from "../builtin-api.js";
import type { Draft } from "../draft.js";
import { decodeBuiltin } from "./decode.js";

const lease = (spec: Draft): Draft => ({ metadata: { name: "a" }, spec });
const schema = builtinSchema("io.k8s.api.coordination.v1.Lease");

test("decodeBuiltin drops unknown fields, nulls, and empty lists and maps, in place", () => {
  const draft: Draft = {
    metadata: { name: "a", labels: {}, finalizers: [], foo: 1 },
    spec: { holderIdentity: null },
    bar: 2,
  };
  const decoded = decodeBuiltin(draft, schema);
  expect(draft).toEqual({ metadata: { name: "a" }, spec: {} });
  expect(decoded).toEqual({ unknownFields: ["metadata.foo", "bar"], typeError: undefined });
});

test("decodeBuiltin converts times to UTC", () => {
  const draft = lease({ renewTime: "2026-01-01T00:00:00.123456+01:00" });
  expect(decodeBuiltin(draft, schema).typeError).toBeUndefined();
  expect(draft["spec"]).toEqual({ renewTime: "2025-12-31T23:00:00.123456Z" });
  const event: Draft = { firstTimestamp: "2026-01-01T00:00:00.123+02:00" };
  decodeBuiltin(event, builtinSchema("io.k8s.api.core.v1.Event"));
  expect(event).toEqual({ firstTimestamp: "2025-12-31T22:00:00Z" });
});

test.each([
  [
    lease({ renewTime: "2026-01-01T00:00:00Z" }),
    'parsing time "2026-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse',
  ],
  [lease({ renewTime: "bad" }), 'parsing time "bad" as "2006-01-02T15:04:05.000000Z07:00": cannot parse'],
  [
    lease({ leaseDurationSeconds: 1.5 }),
    "json: cannot unmarshal number 1.5 into Go struct field LeaseSpec.spec.leaseDurationSeconds of type int32",
  ],
  [
    lease({ holderIdentity: [] }),
    "json: cannot unmarshal array into Go struct field LeaseSpec.spec.holderIdentity of type string",
  ],
])("decodeBuiltin rejects %j with a message that names the field or the value", (draft, message) => {
  expect(decodeBuiltin(draft, schema).typeError).toBe(message);
});

test("decodeBuiltin rejects bytes that are not base64", () => {
  const secret = builtinSchema("io.k8s.api.core.v1.Secret");
  expect(decodeBuiltin({ data: { c: "!!" } }, secret).typeError).toBe("illegal base64 data at input byte 0");
  expect(decodeBuiltin({ data: { c: "YQ==" } }, secret).typeError).toBeUndefined();
});

test("decodeBuiltin treats __proto__ and constructor as data", () => {
  const draft: Draft = { data: JSON.parse('{"__proto__":"YQ==","constructor":"Yg=="}') };
  decodeBuiltin(draft, builtinSchema("io.k8s.api.core.v1.Secret"));
  expect(JSON.stringify(draft)).toBe('{"data":{"__proto__":"YQ==","constructor":"Yg=="}}');
});

test("recursive schemas resolve to one graph", () => {
  const props = builtinSchema("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps");
  expect(props.properties?.["not"]).toBe(props);
});
