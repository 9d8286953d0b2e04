import { isJsonObject, stringifyJson } from "@kubewright/core/json";
import { ResourceVersions } from "./resource-versions.js";
import type { CaseRun, Given } from "./run-test-case.js";
import { comparedHeaders } from "./servers/api-client.js";
import type { Case, RequestStep } from "./test-case.js";

/** The result of one step in a form that is comparable between servers and runs. JSON throughout, keys sorted. */
export type Seen = Readonly<Record<string, unknown>>;

/**
 * Replaces what differs from run to run: uids by their order of appearance, resource versions by their order in this case, current times,
 * generated names, ages in tables, hashes, ports, and the addresses of Services.
 *
 * Two servers that behave the same have the same result. Only what is nondeterministic is hidden: the order of keys, the order of
 * managedFields entries and of conflicts with several managers, and the number of equal bookmarks in a row.
 */
export function normalise(one: Case, run: CaseRun, nowMs: number): Seen[] {
  const steps = one.steps.filter((step) => step.kind === "read" || step.silent !== true);
  const shown = run.given.map((given, index) => narrow(given, steps[index], run.group));
  const names = new Names(one, run, nowMs);
  const versions = new ResourceVersions(shown);
  const uids = new Map<string, string>();
  return shown.map((given) => show(given, { names, versions, uids }));
}

interface Context {
  readonly names: Names;
  readonly versions: ResourceVersions;
  readonly uids: Map<string, string>;
}

function show(given: Given, context: Context): Seen {
  switch (given.kind) {
    case "unsent":
      return { unsent: given.why };
    case "events":
      return {
        events: withoutRepeats(given.events.map((event) => clean(event, context, ""))),
        ...(given.ended ? { ended: true } : {}),
      };
    case "response": {
      const headers: Record<string, unknown> = {};
      for (const name of comparedHeaders) {
        const value = given.response.headers[name];
        if (value !== undefined) headers[name] = clean(value, context, "");
      }
      if (given.response.body === undefined) return { status: given.response.status, headers };
      const body = clean(given.response.body, context, "");
      const isSchema = isJsonObject(body) && (body["openapi"] !== undefined || body["components"] !== undefined);
      return { status: given.response.status, headers, body: isSchema ? withoutDescriptions(body) : body };
    }
    default:
      return given satisfies never;
  }
}

/** Drops repeated bookmarks: their number depends on timing. */
function withoutRepeats(events: readonly unknown[]): unknown[] {
  return events.filter((event, index) => {
    const isBookmark = isJsonObject(event) && event["type"] === "BOOKMARK";
    return !isBookmark || stringifyJson(event) !== stringifyJson(events[index - 1]);
  });
}

/** Drops what the step excludes from the comparison. */
function narrow(given: Given, step: Case["steps"][number] | undefined, group: string): Given {
  if (given.kind !== "response" || step?.kind !== "request" || !isJsonObject(given.response.body)) return given;
  let body: Record<string, unknown> = given.response.body;
  if (step.fields) body = Object.fromEntries(step.fields.map((field) => [field, pick(given.response.body, field)]));
  for (const filter of step.only ?? []) {
    const values = filter.values.map((value) => value.replace("{group}", group));
    body = keepOnly(body, { ...filter, values });
  }
  return { kind: "response", response: { ...given.response, body } };
}

function keepOnly(
  body: Record<string, unknown>,
  { list, key, values }: NonNullable<RequestStep["only"]>[number],
): Record<string, unknown> {
  const [first = "", ...rest] = list.split("/");
  const inner = body[first];
  if (rest.length > 0) {
    const deeper = { list: rest.join("/"), key, values };
    if (Array.isArray(inner))
      return { ...body, [first]: inner.map((item) => (isJsonObject(item) ? keepOnly(item, deeper) : item)) };
    return isJsonObject(inner) ? { ...body, [first]: keepOnly(inner, deeper) } : body;
  }
  const isKept = (text: string): boolean =>
    values.some((value) => text === value || (value.startsWith("~") && text.endsWith(value.slice(1))));
  if (Array.isArray(inner)) return { ...body, [first]: inner.filter((item) => isKept(String(pick(item, key)))) };
  if (!isJsonObject(inner)) return body;
  return { ...body, [first]: Object.fromEntries(Object.entries(inner).filter(([name]) => isKept(name))) };
}

function pick(item: unknown, path: string): unknown {
  return path.split(".").reduce((value, part) => (isJsonObject(value) ? value[part] : undefined), item);
}

function clean(value: unknown, context: Context, key: string): unknown {
  if (typeof value === "string") return cleanText(value, context, key);
  if (key === "columnDefinitions" && Array.isArray(value)) return value.map(withoutDescriptions);
  if (typeof value === "number" && /[nN]odePort$/.test(key) && isChosenPort(value)) return "<port>";
  if (Array.isArray(value)) {
    const items = value.map((item) => clean(item, context, key === "cells" ? "cell" : ""));
    if (key === "managedFields") return items.sort(byManager);
    return key === "causes" && items.every(isManagerConflict) ? items.sort(byMessage) : items;
  }
  if (!isJsonObject(value)) return value;
  const isList = Array.isArray(value["items"]) || Array.isArray(value["rows"]) || value["items"] === null;
  const isBookmark = value["type"] === "BOOKMARK";
  const entries = Object.keys(value)
    .sort()
    .map((name): [string, unknown] => {
      const inner = value[name];
      if (isJsonObject(inner) && ((isList && name === "metadata") || (isBookmark && name === "object")))
        return [name, cleanSnapshot(inner, context)];
      return [cleanText(name, context, ""), clean(inner, context, name)];
    });
  return Object.fromEntries(entries);
}

/** Drops descriptions of columns and schemas: the embedded cluster does not include Kubernetes' documentation. */
function withoutDescriptions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDescriptions);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([name, inner]) => name !== "description" || typeof inner !== "string");
  return Object.fromEntries(entries.sort().map(([name, inner]) => [name, withoutDescriptions(inner)]));
}

/** The metadata of a list, and a bookmark, have the resourceVersion of the whole store, which other cases also advance. */
function cleanSnapshot(value: Record<string, unknown>, context: Context): unknown {
  const at = value["resourceVersion"];
  const cleaned = clean(value, context, "");
  if (isJsonObject(value["metadata"]) && isJsonObject(cleaned))
    return { ...cleaned, metadata: cleanSnapshot(value["metadata"], context) };
  if (typeof at !== "string" || !isJsonObject(cleaned)) return cleaned;
  return { ...cleaned, resourceVersion: context.versions.snapshot(at) };
}

/** Whether a node port is from the randomly allocated range; cases request only lower ones. */
function isChosenPort(port: number): boolean {
  return port > 30_085 && port <= 32_767;
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

function cleanText(text: string, { names, versions, uids }: Context, key: string): string {
  if (key === "resourceVersion") return versions.object(text);
  if (key === "continue") return versions.continueToken(text, (inner) => names.clean(inner));
  // The port differs in each run, the address on each machine.
  if (key === "serverAddress") return "<host>";
  if (key === "token" && text.startsWith("eyJ")) return cleanToken(text);
  if (isIssuer(text)) return "<issuer>";
  if (key === "cell" && /^\d+[smh](\d+s)?$/.test(text)) return "<age>";
  const known = text.replace(uuid, (uid) => {
    if (!uids.has(uid)) uids.set(uid, `<uid${uids.size + 1}>`);
    return uids.get(uid) ?? "";
  });
  return names.clean(versions.inMessage(known));
}

/** Whether a string is a server's token issuer: each server has its own. */
function isIssuer(text: string): boolean {
  return /^https:\/\/(127\.0\.0\.1:\d+\/|kubernetes\.default\.svc\.cluster\.local)$/.test(text);
}

/** The JWT claims of a token, with times relative to `iat`, and without what is unique to each token. */
function cleanToken(token: string): string {
  const part = token.split(".")[1] ?? "";
  const claims = JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;
  const issuedAt = Number(claims["iat"]);
  return JSON.stringify(claims, (name, value: unknown) => {
    if (["exp", "iat", "nbf", "warnafter"].includes(name)) return `${Number(value) - issuedAt} s`;
    if (typeof value === "string" && isIssuer(value)) return "<issuer>";
    return ["uid", "jti"].includes(name) ? "<uid>" : value;
  });
}

/** Conflicts with several managers have no fixed order. */
function isManagerConflict(cause: unknown): boolean {
  return isJsonObject(cause) && cause["reason"] === "FieldManagerConflict";
}

function byMessage(a: unknown, b: unknown): number {
  return stringifyJson(a) < stringifyJson(b) ? -1 : 1;
}

/** A stable order by manager: entries of the same second have none. */
function byManager(a: unknown, b: unknown): number {
  const rank = (entry: unknown): string =>
    isJsonObject(entry)
      ? [entry["operation"], entry["manager"], entry["subresource"], entry["apiVersion"]].join(" ")
      : "";
  return rank(a) < rank(b) ? -1 : 1;
}

const nearMs = 24 * 3_600_000;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/** Replaces strings that are unique to one run. */
class Names {
  readonly #replacements: readonly (readonly [string | RegExp, string])[];
  readonly #nowMs: number;

  constructor(one: Case, run: CaseRun, nowMs: number) {
    this.#replacements = [
      ...generatedBases(one).map((base) => [new RegExp(`${base}[a-z0-9]{5}(?![a-z0-9])`, "g"), `${base}<5>`] as const),
      [run.group, "<group>"],
      // The form used in schema names.
      [run.group.split(".").reverse().join("."), "<reversed group>"],
      [run.namespace, "<namespace>"],
    ];
    this.#nowMs = nowMs;
  }

  clean(text: string): string {
    let cleaned = text;
    for (const [from, to] of this.#replacements) cleaned = cleaned.replaceAll(from, to);
    return (
      cleaned
        .replace(time, (found, fraction: string | undefined) => {
          if (Math.abs(Date.parse(found) - this.#nowMs) > nearMs) return found;
          return fraction === undefined ? "<time>" : `<time.${fraction.length - 1}>`;
        })
        // Cluster IPs above these and node ports are allocated at random.
        .replace(/\b10\.0\.0\.(1[6-9]|[2-9]\d|1\d\d|2[0-4]\d|25[0-4])\b/g, "<address>")
        .replace(/(nodePort:)(\d{5})\b/g, (found, before: string, port: string) =>
          isChosenPort(Number(port)) ? `${before}<port>` : found,
        )
        .replace(/:(\d{5})\//g, (found, port: string) => (isChosenPort(Number(port)) ? ":<port>/" : found))
        .replace(/hash=[0-9A-F]{16,}/g, "hash=<hash>")
        // A real server numbers the type of a rule's self at random.
        .replace(/\bselfType\d+/g, "selfType")
        .replace(/(127\.0\.0\.1|localhost):\d+/g, "<host>")
    );
  }
}

/** The generateName values of the case, truncated as the server truncates them; and the prefix of token volumes. */
function generatedBases(one: Case): string[] {
  const bases = one.steps.flatMap((step) => {
    const base = step.kind === "request" ? pick(step.body, "metadata.generateName") : undefined;
    return typeof base === "string" && base !== "" ? [base.slice(0, 58)] : [];
  });
  return [...bases, "kube-api-access-"];
}
