import type { JsonObject } from "@kubewright/core/json";
import { type FieldError, invalid } from "@kubewright/core/schema";

/** The Pod Security levels, from the least to the most strict. */
const levels = ["privileged", "baseline", "restricted"] as const;

/** A Pod Security level. */
export type Level = (typeof levels)[number];

/** A level, and the Kubernetes version that defines it. */
export interface LevelVersion {
  readonly level: Level;
  /** `latest` or `v1.<minor>`. */
  readonly version: string;
}

/** What the labels of a namespace choose for each mode. */
export interface Policy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
}

const prefix = "pod-security.kubernetes.io/";
const unset: LevelVersion = { level: "privileged", version: "latest" };
const unsetPolicy: Policy = { enforce: unset, audit: unset, warn: unset };
const versionPattern = /^v1\.(?:[0-9]|[1-9][0-9]*)$/;

/** `restricted:latest`. */
export function levelText({ level, version }: LevelVersion): string {
  return `${level}:${version}`;
}

export function isSameLevel(a: LevelVersion, b: LevelVersion): boolean {
  return a.level === b.level && a.version === b.version;
}

/** Whether no mode restricts pods. */
export function isPrivileged({ enforce, audit, warn }: Policy): boolean {
  return [enforce, audit, warn].every(({ level }) => level === "privileged");
}

/** How much stricter a level is than another one. */
export function compareLevels(a: Level, b: Level): number {
  return levels.indexOf(a) - levels.indexOf(b);
}

/** The policy that labels choose. A label that cannot be parsed is an error, and means the strictest level for `enforce`, no check for the other modes. */
export function policyOf(labels: JsonObject): { readonly policy: Policy; readonly errors: readonly FieldError[] } {
  if (!Object.keys(labels).some((key) => key.startsWith(prefix))) return { policy: unsetPolicy, errors: [] };
  const errors: FieldError[] = [];
  const levelOf = (mode: keyof Policy, ifInvalid: Level): Level => {
    const given = labels[prefix + mode];
    if (given === undefined) return "privileged";
    if (levels.includes(given as Level)) return given as Level;
    errors.push(invalid(`metadata.labels[${prefix}${mode}]`, given, `must be one of ${levels.join(", ")}`));
    return ifInvalid;
  };
  const versionOf = (mode: keyof Policy): string => {
    const label = `${prefix}${mode}-version`;
    const given = labels[label];
    if (given === undefined || given === "latest") return "latest";
    if (typeof given === "string" && versionPattern.test(given)) return given;
    errors.push(invalid(`metadata.labels[${label}]`, given, 'must be "latest" or "v1.x"'));
    return "latest";
  };
  const enforceLevel = levelOf("enforce", "restricted");
  const isEnforceValid = labels[`${prefix}enforce`] !== undefined && errors.length === 0;
  const enforce = { level: enforceLevel, version: versionOf("enforce") };
  const audit = { level: levelOf("audit", "privileged"), version: versionOf("audit") };
  const warn = { level: levelOf("warn", "privileged"), version: versionOf("warn") };
  const warnsLikeEnforce =
    labels[`${prefix}warn`] === undefined && isEnforceValid && compareLevels(enforceLevel, warn.level) > 0;
  if (!warnsLikeEnforce) return { policy: { enforce, audit, warn }, errors };
  const version = labels[`${prefix}warn-version`] === undefined ? enforce.version : warn.version;
  return { policy: { enforce, audit, warn: { level: enforceLevel, version } }, errors };
}
