import { expect, test } from "vitest";
import { chooseProxy } from "./choose-proxy.js";
import { environmentProxyOf } from "./proxy-settings.js";

const https = (host: string): URL => new URL(`https://${host}`);

test.each([
  ["api.example.com", "", true],
  ["localhost:6443", "", false],
  ["127.0.0.2", "", false],
  ["[::1]:6443", "", false],
  ["api.example.com", "*", false],
  ["api.example.com", "example.com", false],
  ["example.com", ".example.com", true],
  ["api.example.com", " .example.com ,x", false],
  ["api.example.com", "*.example.com", false],
  ["notexample.com", "example.com", true],
  ["api.example.com:6443", "example.com:6443", false],
  ["api.example.com:6443", "example.com:443", true],
  ["api.example.com", "example.com:443", false],
  ["10.1.2.3", "10.0.0.0/8", false],
  ["11.1.2.3", "10.0.0.0/8", true],
  ["10.1.2.3:6443", "10.1.2.3", false],
  ["[fd00::5]", "fd00::/8", false],
  ["[fd00::5]:6443", "[fd00::5]:6443", false],
  ["api.example.com", "10.0.0.0/999,EXAMPLE.com", false],
])("https://%s with NO_PROXY=%j goes through the proxy: %s", (host, noProxy, expected) => {
  const proxy = chooseProxy(https(host), { environmentProxy: { httpsProxy: "http://proxy:3128", noProxy } });
  expect(proxy !== undefined).toBe(expected);
});

test("an explicit proxy takes precedence over the environment and NO_PROXY", () => {
  const environmentProxy = { httpsProxy: "http://other", noProxy: "*" };
  expect(chooseProxy(https("localhost"), { proxyUrl: "socks5://p:1", environmentProxy })?.href).toBe("socks5://p:1");
});

test("the proxy environment variables are read as in Go", () => {
  expect(environmentProxyOf({ HTTPS_PROXY: "a", https_proxy: "b", http_proxy: "c", no_proxy: "d" })).toEqual({
    httpsProxy: "a",
    httpProxy: "c",
    noProxy: "d",
  });
  expect(environmentProxyOf({ HTTP_PROXY: "a", REQUEST_METHOD: "GET" })).toBeUndefined();
  expect(chooseProxy(https("example.com"), { environmentProxy: { httpsProxy: "proxy:3128" } })?.href).toBe(
    "http://proxy:3128/",
  );
  expect(chooseProxy(https("example.com"), { environmentProxy: { httpProxy: "http://p" } })).toBeUndefined();
});
