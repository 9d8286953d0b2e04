import { type Logger, silentLogger } from "@kubewright/core/log";
import { expect, test } from "vitest";
import { featureSwitches } from "./feature-switches.js";

function read(environment: Readonly<Record<string, string>>) {
  const told: string[] = [];
  const note = (fields: object, text: string): void =>
    void told.push(`${(fields as { variable: string }).variable}: ${text}`);
  const logger: Logger = { ...silentLogger, warn: note as Logger["warn"], error: note as Logger["error"] };
  return { switches: featureSwitches(environment, logger), told };
}

test("the switch of client-go for streamed lists is obeyed, as Go reads it", () => {
  expect(read({ KUBE_FEATURE_WatchListClient: "false" })).toEqual({ switches: { streaming: false }, told: [] });
  expect(read({ KUBE_FEATURE_WatchListClient: "T" }).switches).toEqual({ streaming: true });
  expect(read({ PATH: "/bin", KUBE_FEATURES: "x" })).toEqual({ switches: {}, told: [] });
});

test("what is always on, not known, or no truth value is told of and ignored", () => {
  const { switches, told } = read({
    KUBE_FEATURE_InOrderInformers: "false",
    KUBE_FEATURE_AtomicFIFO: "true",
    KUBE_FEATURE_Unheard: "true",
    KUBE_FEATURE_WatchListClient: "maybe",
  });
  expect(switches).toEqual({});
  expect(told.sort()).toEqual([
    "KUBE_FEATURE_InOrderInformers: Feature gate is always enabled, setting ignored",
    "KUBE_FEATURE_Unheard: Unknown feature gate, ignored",
    "KUBE_FEATURE_WatchListClient: Feature gate is neither true nor false, ignored",
  ]);
});
