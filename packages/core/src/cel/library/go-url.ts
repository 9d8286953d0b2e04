import { goQuote } from "../../json/index.js";
import { work } from "../values/work.js";

/** A URL as Go's net/url parses it. */
export interface GoUrl {
  readonly scheme: string;
  readonly host: string;
  /** As written where that is valid, otherwise escaped. */
  readonly escapedPath: string;
  readonly rawQuery: string;
  /** The whole URL in a form that equal URLs share. */
  readonly text: string;
}

/** Thrown with Go's message. */
export class UrlProblem {
  readonly message: string;

  constructor(raw: string, message: string) {
    this.message = `parse ${goQuote(raw)}: ${message}`;
  }
}

/** `url.ParseRequestURI`: an absolute URI or an absolute path. */
export function parseRequestUri(raw: string): void {
  parse(raw, raw, true);
}

/** `url.Parse`: also relative references, and with a fragment. */
export function parseUrl(raw: string): GoUrl {
  const hash = raw.indexOf("#");
  return parse(raw, hash < 0 ? raw : raw.slice(0, hash), false);
}

function parse(raw: string, given: string, viaRequest: boolean): GoUrl {
  work(1_000 + raw.length * 20);
  const fail = (message: string): never => {
    throw new UrlProblem(raw, message);
  };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the check is about.
  if (/[\u0000-\u001f\u007f]/.test(given)) fail("net/url: invalid control character in URL");
  if (given === "" && viaRequest) fail("empty url");
  if (given.startsWith(":")) fail("missing protocol scheme");
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(given)?.[1] ?? "";
  let rest = scheme === "" ? given : given.slice(scheme.length + 1);
  const question = rest.indexOf("?");
  const rawQuery = question < 0 ? "" : rest.slice(question + 1);
  if (question >= 0) rest = rest.slice(0, question);
  const done = (host: string, escapedPath: string): GoUrl => {
    const text = `${scheme.toLowerCase()}://${host}${escapedPath}?${rawQuery}#${raw.slice(given.length)}`;
    return { scheme: scheme.toLowerCase(), host, escapedPath, rawQuery, text };
  };
  if (!rest.startsWith("/")) {
    if (scheme !== "") return done("", "");
    if (viaRequest) fail("invalid URI for request");
    if ((rest.split("/")[0] ?? "").includes(":")) fail("first path segment in URL cannot contain colon");
  }
  let host = "";
  if (rest.startsWith("//") && (scheme !== "" || (!viaRequest && !rest.startsWith("///")))) {
    const slash = rest.indexOf("/", 2);
    const authority = rest.slice(2, slash < 0 ? undefined : slash);
    rest = slash < 0 ? "" : rest.slice(slash);
    host = readHost(authority, fail);
  }
  const path = unescapeUrl(rest, fail);
  return done(host, isValidPath(rest) ? rest : escapePath(path));
}

type Fail = (message: string) => never;

function readHost(authority: string, fail: Fail): string {
  const at = authority.lastIndexOf("@");
  if (at >= 0 && !/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(authority.slice(0, at))) {
    fail("net/url: invalid userinfo");
  }
  const host = authority.slice(at + 1);
  if (host.startsWith("[")) {
    const end = host.lastIndexOf("]");
    if (end < 0) fail("missing ']' in host");
    checkPort(host.slice(end + 1), fail);
    return host;
  }
  const colon = host.lastIndexOf(":");
  if (colon >= 0) checkPort(host.slice(colon), fail);
  const bad = /[^A-Za-z0-9\-._~!$&'()*+,;=:[\]<>"%\u0080-\u{10ffff}]/u.exec(host)?.[0];
  if (bad !== undefined) fail(`invalid character ${goQuote(bad)} in host name`);
  return unescapeUrl(host, fail);
}

function checkPort(port: string, fail: Fail): void {
  if (!/^(:\d*)?$/.test(port)) fail(`invalid port ${goQuote(port)} after host`);
}

function unescapeUrl(text: string, fail: Fail): string {
  const bad = /%(?![0-9A-Fa-f]{2}).{0,2}/su.exec(text)?.[0];
  if (bad !== undefined) fail(`invalid URL escape ${goQuote(bad)}`);
  const bytes: number[] = [];
  const encoded = Buffer.from(text, "utf8");
  for (let at = 0; at < encoded.length; at++) {
    const byte = encoded[at] ?? 0;
    if (byte !== 0x25) bytes.push(byte);
    else {
      bytes.push(Number.parseInt(encoded.toString("latin1", at + 1, at + 3), 16));
      at += 2;
    }
  }
  return Buffer.from(bytes).toString("utf8");
}

function isValidPath(path: string): boolean {
  return /^[A-Za-z0-9\-._~!$&'()*+,;=:@[\]/%]*$/.test(path);
}

function escapePath(path: string): string {
  return [...Buffer.from(path, "utf8")]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      if (/[A-Za-z0-9\-._~$&+,/:;=@]/.test(character)) return character;
      return `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");
}

/** The host without brackets and port. */
export function hostnameOf(host: string): string {
  const bracketed = /^\[(.*)\](?::\d*)?$/.exec(host)?.[1];
  return bracketed ?? host.replace(/:\d*$/, "");
}

export function portOf(host: string): string {
  return /:(\d*)$/.exec(host)?.[1] ?? "";
}

/** The values of each key of a query; pairs that Go cannot read are left out. */
export function queryOf(rawQuery: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const pair of rawQuery.split("&")) {
    if (pair === "" || pair.includes(";") || /%(?![0-9A-Fa-f]{2})/.test(pair)) continue;
    const equals = pair.indexOf("=");
    const [key, value] = [equals < 0 ? pair : pair.slice(0, equals), equals < 0 ? "" : pair.slice(equals + 1)].map(
      (part) => unescapeUrl(part.replaceAll("+", " "), () => undefined as never),
    ) as [string, string];
    const values = found.get(key);
    if (values === undefined) found.set(key, [value]);
    else values.push(value);
  }
  return found;
}
