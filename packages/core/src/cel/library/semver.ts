import { goQuote } from "../../json/index.js";
import { member, overload } from "../check/overload.js";
import { boolType, type CelType, intType, stringType, structType, type TypeOf } from "../types/cel-type.js";
import { EvalFailure } from "../values/eval-failure.js";
import { intFromBigInt, maxUint } from "../values/number.js";
import { OpaqueValue } from "../values/value.js";
import { work } from "../values/work.js";
import type { Library } from "./library.js";
import { estimateParse, parseCost } from "./quantity.js";

const semverType: TypeOf<SemverValue> = structType("kubernetes.Semver");

class SemverValue extends OpaqueValue {
  readonly type: CelType = semverType;
  /** Major, minor and patch. */
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly prerelease: readonly string[];
  override readonly bulk: number;

  constructor(numbers: readonly [bigint, bigint, bigint], prerelease: readonly string[]) {
    super();
    this.numbers = numbers;
    this.prerelease = prerelease;
    this.bulk = 20 + prerelease.reduce((total, part) => total + part.length * 5, 0);
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof SemverValue && this.compare(other) === 0;
  }

  override toString(): string {
    const pre = this.prerelease.length === 0 ? "" : `-${this.prerelease.join(".")}`;
    return this.numbers.join(".") + pre;
  }

  /** By semver's precedence, which leaves build metadata out. */
  compare(other: SemverValue): number {
    for (const [index, number] of this.numbers.entries()) {
      const theirs = other.numbers[index] ?? 0n;
      if (number !== theirs) return number < theirs ? -1 : 1;
    }
    if (this.prerelease.length === 0 || other.prerelease.length === 0) {
      return Math.sign(other.prerelease.length - this.prerelease.length);
    }
    const length = Math.min(this.prerelease.length, other.prerelease.length);
    for (let index = 0; index < length; index++) {
      const order = compareParts(this.prerelease[index] ?? "", other.prerelease[index] ?? "");
      if (order !== 0) return order;
    }
    return Math.sign(this.prerelease.length - other.prerelease.length);
  }
}

function compareParts(left: string, right: string): number {
  const [isLeftNumber, isRightNumber] = [isNumber(left), isNumber(right)];
  if (isLeftNumber !== isRightNumber) return isLeftNumber ? -1 : 1;
  const [a, b] = isLeftNumber ? [BigInt(left), BigInt(right)] : [left, right];
  return a < b ? -1 : a > b ? 1 : 0;
}

function isNumber(text: string): boolean {
  return /^\d+$/.test(text);
}

/** A version, or why a string is none. */
function parse(text: string): SemverValue | string {
  work(1_000 + text.length * 20);
  if (text === "") return "Version string empty";
  const [major, minor, ...rest] = text.split(".");
  if (major === undefined || minor === undefined || rest.length === 0) return "No Major.Minor.Patch elements found";
  const [, patch = "", , pre, , build] = /^([^+-]*)(-([^+]*))?(\+(.*))?$/s.exec(rest.join(".")) ?? [];
  for (const [name, number] of [
    ["major", major],
    ["minor", minor],
    ["patch", patch],
  ] as const) {
    if (!/^\d*$/.test(number)) return `Invalid character(s) found in ${name} number ${goQuote(number)}`;
    const title = name.charAt(0).toUpperCase() + name.slice(1);
    if (/^0\d/.test(number)) return `${title} number must not contain leading zeroes ${goQuote(number)}`;
    if (number === "") return 'strconv.ParseUint: parsing "": invalid syntax';
    if (BigInt(number) > maxUint) return `strconv.ParseUint: parsing ${goQuote(number)}: value out of range`;
  }
  const prerelease = pre === undefined ? [] : pre.split(".");
  for (const part of prerelease) {
    if (part === "") return "Prerelease is empty";
    if (/^0\d+$/.test(part)) return `Numeric PreRelease version must not contain leading zeroes ${goQuote(part)}`;
    if (!/^[0-9A-Za-z-]+$/.test(part)) return `Invalid character(s) found in prerelease ${goQuote(part)}`;
  }
  for (const part of build === undefined ? [] : build.split(".")) {
    if (part === "") return "Build meta data is empty";
    if (!/^[0-9A-Za-z-]+$/.test(part)) return `Invalid character(s) found in build meta data ${goQuote(part)}`;
  }
  return new SemverValue([BigInt(major), BigInt(minor), BigInt(patch)], prerelease);
}

/** Also takes a leading v, leading zeros and versions of less than three numbers. */
function parseLoose(text: string): SemverValue | string {
  const [major = "", minor, ...rest] = text.replace(/^v/, "").split(".");
  const given = [major, ...(minor === undefined ? [] : [minor]), ...(rest.length === 0 ? [] : [rest.join(".")])];
  const parts = given.map((part) => {
    if (part.length < 2) return part;
    const trimmed = part.replace(/^0+/, "");
    return /^\d/.test(trimmed) ? trimmed : `0${trimmed}`;
  });
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? "")) {
    return "short version cannot contain PreRelease/Build meta data";
  }
  while (parts.length < 3) parts.push("0");
  return parse(parts.join("."));
}

function toSemver(text: string, isLoose: boolean): SemverValue {
  const parsed = isLoose ? parseLoose(text) : parse(text);
  if (typeof parsed === "string") throw new EvalFailure(parsed);
  return parsed;
}

const two = [semverType, semverType] as [typeof semverType, typeof semverType];

/** Semantic versions, since 1.33. */
export const semverLibrary: Library = {
  name: "semver",
  since: 33,
  functions: [
    {
      name: "semver",
      overloads: [
        overload("string_to_semver", [stringType], semverType, (text) => toSemver(text, false)),
        overload("string_bool_to_semver", [stringType, boolType], semverType, toSemver),
      ],
      cost: parseCost,
      estimate: estimateParse,
    },
    {
      name: "isSemver",
      overloads: [
        overload("is_semver_string", [stringType], boolType, (text) => typeof parse(text) !== "string"),
        overload(
          "is_semver_string_bool",
          [stringType, boolType],
          boolType,
          (text, isLoose) => typeof (isLoose ? parseLoose(text) : parse(text)) !== "string",
        ),
      ],
      cost: parseCost,
      estimate: estimateParse,
    },
    { name: "isGreaterThan", overloads: [member("semver_is_greater_than", two, boolType, (a, b) => a.compare(b) > 0)] },
    { name: "isLessThan", overloads: [member("semver_is_less_than", two, boolType, (a, b) => a.compare(b) < 0)] },
    { name: "compareTo", overloads: [member("semver_compare_to", two, intType, (a, b) => a.compare(b))] },
    ...(["major", "minor", "patch"] as const).map((name, index) => ({
      name,
      overloads: [
        member(`semver_${name}`, [semverType], intType, ({ numbers }) =>
          intFromBigInt(BigInt.asIntN(64, numbers[index] ?? 0n)),
        ),
      ],
    })),
  ],
};
