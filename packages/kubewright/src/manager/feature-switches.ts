import type { Logger } from "@kubewright/core/log";

const prefix = "KUBE_FEATURE_";

/** Feature gates of client-go, and their settings here. */
export interface FeatureSwitches {
  /** `WatchListClient`: caches are filled by streaming lists. */
  readonly streaming?: boolean;
}

/**
 * Reads client-go's feature gates, `KUBE_FEATURE_<Name>`, so that an existing manifest keeps its meaning. Logs a gate that has no effect here.
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
      // Changes of one object are always delivered in order, and a list as a whole.
      if (!value) logger.error({ variable }, "Feature gate is always enabled, setting ignored");
    } else logger.warn({ variable }, "Unknown feature gate, ignored");
  }
  return streaming === undefined ? {} : { streaming };
}

/** As Go's strconv.ParseBool. */
function asBoolean(text: string): boolean | undefined {
  if (/^(1|t|T|TRUE|true|True)$/.test(text)) return true;
  return /^(0|f|F|FALSE|false|False)$/.test(text) ? false : undefined;
}
