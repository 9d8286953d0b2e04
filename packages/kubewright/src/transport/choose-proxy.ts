import { BlockList, isIP } from "node:net";
import { type EnvironmentProxy, parseProxyUrl } from "./proxy-settings.js";

/**
 * Returns the proxy for `target`; undefined: connect directly.
 *
 * An explicit proxy is always used. The environment's proxy is skipped for loopback addresses and for the entries of `NO_PROXY`: domains (with
 * their subdomains; a leading dot matches subdomains only), IP addresses, CIDRs (`10.0.0.0/8`), each optionally with a port, or `*` for all.
 */
export function chooseProxy(
  target: URL,
  { proxyUrl, environmentProxy }: { readonly proxyUrl?: string; readonly environmentProxy?: EnvironmentProxy },
): URL | undefined {
  if (proxyUrl !== undefined && proxyUrl !== "") return parseProxyUrl(proxyUrl);
  const named = target.protocol === "https:" ? environmentProxy?.httpsProxy : environmentProxy?.httpProxy;
  if (named === undefined || named === "" || isExcepted(target, environmentProxy?.noProxy ?? "")) return undefined;
  // As in Go, `proxy:3128` means `http://proxy:3128`.
  return parseProxyUrl(/^[a-z0-9+.-]+:\/\//i.test(named) ? named : `http://${named}`);
}

function isExcepted(target: URL, noProxy: string): boolean {
  const host = target.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const port = target.port || (target.protocol === "https:" ? "443" : "80");
  const family = isIP(host);
  if (host === "localhost" || (family === 4 && host.startsWith("127.")) || host === "::1") return true;
  return noProxy
    .toLowerCase()
    .split(",")
    .map((entry) => entry.trim())
    .some((entry) => entry === "*" || (entry !== "" && matches(entry, host, port, family)));
}

function matches(entry: string, host: string, port: string, family: number): boolean {
  const [, range = "", bits = ""] = /^([0-9a-f.:]+)\/(\d{1,3})$/.exec(entry) ?? [];
  if (range !== "") return family !== 0 && inRange(host, family, range, Number(bits));
  const [, bracketed, plain, wantedPort = ""] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  const name = bracketed ?? plain ?? entry;
  if (wantedPort !== "" && wantedPort !== port) return false;
  if (isIP(name) !== 0) return family !== 0 && inRange(host, family, name, isIP(name) === 4 ? 32 : 128);
  if (name.startsWith("*.")) return host.endsWith(name.slice(1));
  if (name.startsWith(".")) return host.endsWith(name);
  return name !== "" && (host === name || host.endsWith(`.${name}`));
}

function inRange(host: string, family: number, range: string, bits: number): boolean {
  const rangeFamily = isIP(range);
  if (rangeFamily !== family || bits > (family === 4 ? 32 : 128)) return false;
  const type = family === 4 ? "ipv4" : "ipv6";
  const list = new BlockList();
  list.addSubnet(range, bits, type);
  return list.check(host, type);
}
