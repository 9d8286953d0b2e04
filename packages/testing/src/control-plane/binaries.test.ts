import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findBinary, realCacheDir } from "./binaries.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kubewright-binaries-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(...parts: string[]): string {
  const path = join(folder, ...parts);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, "");
  chmodSync(path, 0o755);
  return path;
}

test("a binary is found in the cache directory when no variable names it", () => {
  const path = put("kubewright", "real", "current", "etcd");
  expect(realCacheDir({ XDG_CACHE_HOME: folder })).toBe(join(folder, "kubewright", "real"));
  expect(findBinary("etcd", { XDG_CACHE_HOME: folder })).toBe(path);
});

test("KUBEBUILDER_ASSETS takes precedence over the cache directory, and TEST_ASSET_ETCD over both", () => {
  put("kubewright", "real", "current", "etcd");
  const asset = put("assets", "etcd");
  const environment = { XDG_CACHE_HOME: folder, KUBEBUILDER_ASSETS: join(folder, "assets") };
  expect(findBinary("etcd", environment)).toBe(asset);
  expect(findBinary("etcd", { ...environment, TEST_ASSET_ETCD: "elsewhere/etcd" })).toBe("elsewhere/etcd");
});

test("kube-controller-manager comes from the cache directory when KUBEBUILDER_ASSETS contains none", () => {
  const path = put("kubewright", "real", "current", "kube-controller-manager");
  put("assets", "etcd");
  const environment = { XDG_CACHE_HOME: folder, KUBEBUILDER_ASSETS: join(folder, "assets") };
  expect(findBinary("kube-controller-manager", environment)).toBe(path);
});

test("a binary that is not on this machine is undefined", () => {
  expect(findBinary("kubectl", { XDG_CACHE_HOME: folder })).toBeUndefined();
});

test("a binary has the extension .exe on Windows", () => {
  put("assets", "kubectl");
  const environment = { XDG_CACHE_HOME: folder, KUBEBUILDER_ASSETS: join(folder, "assets") };
  expect(findBinary("kubectl", environment, "win32")).toBeUndefined();
  const path = put("assets", "kubectl.exe");
  expect(findBinary("kubectl", environment, "win32")).toBe(path);
});
