import type { Logger } from "@kubewright/core/log";

const prefix = "KUBE_FEATURE_";

/** What operators on client-go can switch, and what becomes of it here. */
export interface FeatureSwitches {
  /** `WatchListClient`: caches begin with one streamed watch. */
  readonly streaming?: boolean;
}

/**
 * Reads the switches that programs on client-go know, `KUBE_FEATURE_<Name>`, so that a manifest keeps its meaning. One that cannot be obeyed is
 * told of and changes nothing.
 */
export function featureSwitches(
  environment: Readonly<Record<string, string | undefined>>,
  logger: Logger,
): FeatureSwitches {
  let streaming: boolean | undefined;
  for (const [variable, text = ""] of Object.entries(environment)) {
    if (!variable.startsWith(prefix)) continue;
    const feature = variable.slice(prefix.length);
    const value = asBoolean(text);
    if (value === undefined) logger.error({ variable, value: text }, "Feature gate is neither true nor false, ignored");
    else if (feature === "WatchListClient") streaming = value;
    else if (feature === "InOrderInformers" || feature === "AtomicFIFO") {
      // Changes of one object are always given in order, and a list as one whole.
      if (!value) logger.error({ variable }, "Feature gate is always enabled, setting ignored");
    } else logger.warn({ variable }, "Unknown feature gate, ignored");
  }
  return streaming === undefined ? {} : { streaming };
}

/** As Go reads it. */
function asBoolean(text: string): boolean | undefined {
  if (/^(1|t|T|TRUE|true|True)$/.test(text)) return true;
  return /^(0|f|F|FALSE|false|False)$/.test(text) ? false : undefined;
}
