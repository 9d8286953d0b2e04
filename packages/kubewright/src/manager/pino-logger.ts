import type { Logger } from "@kubewright/core/log";
import { pino, stdSerializers, stdTimeFunctions } from "pino";

/** One JSON line per event, by pino, which is loaded with this file. */
export function pinoLogger(level: string, write: (text: string) => void): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      serializers: { err: stdSerializers.err },
      formatters: { level: (label) => ({ level: label }) },
    },
    { write },
  );
}
