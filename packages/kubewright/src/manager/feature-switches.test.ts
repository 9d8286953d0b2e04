import { type Logger, silentLogger } from "@kubewright/core/log";
import { expect, test } from "vitest";
import { featureSwitches } from "./feature-switches.js";

function read(environment: Readonly<Record<string, string>>) {
  const logged: string[] = [];
  const note = (fields: object, text: string): void =>
    void logged.push(`${(fields as { variable: string }).variable}: ${text}`);
  const logger: Logger = { ...silentLogger, warn: note as Logger["warn"], error: note as Logger["error"] };
  return { switches: featureSwitches(environment, logger), logged };
}

test("client-go's WatchListClient feature gate controls streaming lists, with Go's boolean syntax", () => {
  expect(read({ KUBE_FEATURE_WatchListClient: "false" })).toEqual({ switches: { streaming: false }, logged: [] });
  expect(read({ KUBE_FEATURE_WatchListClient: "T" }).switches).toEqual({ streaming: true });
  expect(read({ PATH: "/bin", KUBE_FEATURES: "x" })).toEqual({ switches: {}, logged: [] });
});

test("a gate that is always enabled, unknown or not a boolean is logged and ignored", () => {
  const { switches, logged } = read({
    KUBE_FEATURE_InOrderInformers: "false",
    KUBE_FEATURE_AtomicFIFO: "true",
    KUBE_FEATURE_Unheard: "true",
    KUBE_FEATURE_WatchListClient: "maybe",
  });
  expect(switches).toEqual({});
  expect(logged.sort()).toEqual([
    "KUBE_FEATURE_InOrderInformers: Feature gate is always enabled, setting ignored",
    "KUBE_FEATURE_Unheard: Unknown feature gate, ignored",
    "KUBE_FEATURE_WatchListClient: Feature gate is neither true nor false, ignored",
  ]);
});
