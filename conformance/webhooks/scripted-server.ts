import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { WebhookTransport } from "@kubewright/cluster";
import { CertificateAuthority } from "@kubewright/core/certificates";
import { isJsonObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from "@kubewright/core/json";
import type { AdmissionScript, ConversionScript } from "./script.js";

/** A webhook on the loopback interface. Its responses are scripted by the path of a request, so that it has no state. */
export interface ScriptedServer {
  /** `https://127.0.0.1:<port>` */
  readonly url: string;
  /** For `clientConfig.caBundle`. */
  readonly caBundle: string;
}

let started: Promise<ScriptedServer> | undefined;

/** The scripted webhook of this process; it runs until the process exits. */
export function scriptedServer(): Promise<ScriptedServer> {
  started ??= start();
  return started;
}

async function start(): Promise<ScriptedServer> {
  const authority = new CertificateAuthority("scripted-webhooks");
  const { certificate, privateKey: key } = authority.issueServer("scripted-webhooks", ["127.0.0.1"]);
  const server = createServer({ cert: certificate, key }, (request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    caBundle: Buffer.from(authority.certificate).toString("base64"),
  };
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const review = parseJson(Buffer.concat(chunks).toString("utf8")) as JsonObject;
  const { kind, script } = scriptOf((request.url ?? "").split("?", 1)[0] ?? "");
  if (script.hangUp === true) return void request.socket.destroy();
  if (script.delayMs !== undefined) await delay(script.delayMs);
  const body = reviewed(kind, review, script);
  response.writeHead(script.status ?? 200, { "content-type": "application/json" });
  response.end(script.text ?? stringifyJson(body));
}

/** The same webhook in process, except for scripts that no JSON value can follow: those are left to the server. */
export const scriptedTransport: WebhookTransport = ({ url = "", path, review }) => {
  if (!url.startsWith("https://127.0.0.1:") || !/^\/(admit|convert)\//.test(path)) return undefined;
  const { kind, script } = scriptOf(path);
  const { hangUp, delayMs, text, status } = script;
  const isPlain = hangUp === undefined && delayMs === undefined && text === undefined && status === undefined;
  return isPlain ? Promise.resolve({ status: 200, body: reviewed(kind, review, script) }) : undefined;
};

type Script = AdmissionScript & ConversionScript;

function scriptOf(path: string): { readonly kind: string; readonly script: Script } {
  const [, kind = "", encoded = ""] = path.split("/");
  return { kind, script: JSON.parse(Buffer.from(encoded, "base64url").toString("utf8")) as Script };
}

function reviewed(kind: string, review: JsonObject, script: Script): JsonObject {
  return kind === "convert" ? conversion(review, script) : admission(review, script);
}

function admission(review: JsonObject, script: AdmissionScript): JsonObject {
  const { patch, patchText, patchType, deny, warnings = [], echo = [] } = script;
  const bytes = patchText ?? (patch === undefined ? undefined : stringifyJson(patch));
  const type = patchType === undefined ? (bytes === undefined ? null : "JSONPatch") : patchType;
  const shown = echo.map((path) => `${path}=${stringifyJson(sorted(valueAt(review, path) ?? null))}`);
  const all = [...warnings, ...shown];
  const { apiVersion = "", kind = "" } = review;
  return {
    apiVersion,
    kind,
    response: {
      uid: valueAt(review, "request.uid") ?? "",
      allowed: deny === undefined,
      ...(deny && { status: deny }),
      ...(bytes !== undefined && { patch: Buffer.from(bytes).toString("base64") }),
      ...(type !== null && { patchType: type }),
      ...(all.length > 0 && { warnings: all }),
      ...script.response,
    },
    ...script.review,
  };
}

function conversion(review: JsonObject, script: ConversionScript): JsonObject {
  const request = review["request"] as JsonObject;
  const desired = String(request["desiredAPIVersion"]);
  const version = desired.slice(desired.indexOf("/") + 1);
  const follows = script.to === undefined || script.to === version;
  const { object = {}, metadata = {}, missing = 0 } = follows ? script : {};
  const objects = request["objects"] as readonly JsonObject[];
  const converted = objects.slice(0, objects.length - missing).map((one) => {
    const changed = { ...one, apiVersion: desired, spec: renamed((one["spec"] ?? {}) as JsonObject, version) };
    const known = isJsonObject(one["metadata"]) ? one["metadata"] : {};
    return { ...changed, metadata: { ...known, ...metadata }, ...object };
  });
  const { apiVersion = "", kind = "" } = review;
  return {
    apiVersion,
    kind,
    response: {
      uid: request["uid"] ?? "",
      convertedObjects: converted,
      result: { status: "Success" },
      ...(follows && script.response),
    },
    ...(follows && script.review),
  };
}

function renamed({ size, count, shape, ...rest }: JsonObject, version: string): JsonObject {
  const value = size ?? count;
  const number = value === undefined ? {} : { [version === "v1" ? "size" : "count"]: value };
  // v1 has no shape.
  return { ...rest, ...number, ...(version !== "v1" && shape !== undefined && { shape }) };
}

/** With sorted keys: their order is not part of a review. */
function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

function valueAt(value: JsonValue, path: string): JsonValue | undefined {
  let current: JsonValue | undefined = value;
  for (const part of path.split(".")) {
    if (Array.isArray(current)) current = current[Number(part)] as JsonValue | undefined;
    else current = isJsonObject(current) ? current[part] : undefined;
  }
  return current;
}
