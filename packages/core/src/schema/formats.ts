const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
type Check = (text: string) => boolean;

const matching =
  (expression: RegExp): Check =>
  (text) =>
    expression.test(text);

/** The string formats of CRDs, by name without dashes. Others are ignored, as in kube-apiserver. */
const formats: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["datetime", isDateTime],
  ["date", isDate],
  ["duration", isDuration],
  ["byte", (text) => text !== "" && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)],
  ["uri", (text) => /^(\/|[A-Za-z][A-Za-z0-9+.-]*:)/.test(text) && !/[\s\p{Cc}]/u.test(text)],
  ["email", isEmail],
  ["ipv4", (text) => text.includes(".") && (isIpv4(text) || isIpv6(text))],
  ["ipv6", isIpv6],
  ["cidr", isCidr],
  ["mac", isMac],
  ["uuid", matching(uuid)],
  ["uuid3", (text) => uuid.test(text) && text.replaceAll("-", "")[12] === "3"],
  ["uuid4", (text) => uuid.test(text) && /^.{12}4.{3}[89ab]/i.test(text.replaceAll("-", ""))],
  ["uuid5", (text) => uuid.test(text) && /^.{12}5.{3}[89ab]/i.test(text.replaceAll("-", ""))],
  ["hostname", isHostname],
  ["bsonobjectid", matching(/^[0-9a-f]{24}$/i)],
  ["hexcolor", matching(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ["rgbcolor", isRgbColor],
  ["ssn", (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ["k8sshortname", (text) => text.length <= 63 && isLabel(text)],
  ["k8slongname", (text) => text.length <= 253 && text.split(".").every(isLabel)],
]);

/** Formats that kube-apiserver supports and that are not validated here. */
const uncheckedFormats: readonly string[] = ["password", "isbn", "isbn10", "isbn13", "creditcard"];

function isLabel(text: string): boolean {
  return /^[a-z0-9-]+$/.test(text) && !text.startsWith("-") && !text.endsWith("-");
}

/** Letters of all scripts and symbols are allowed. The last of several labels has letters only. */
function isHostname(text: string): boolean {
  const labels = text.split(".");
  if (text.length > 255 || labels.some((label) => label.length > 63)) return false;
  const last = labels.pop() ?? "";
  if (labels.length === 0) return /^[a-zA-Z0-9\p{S}\p{L}]-?[a-zA-Z0-9\p{S}\p{L}]*$/u.test(last);
  return (
    /^[a-zA-Z\p{L}]{2,63}$/u.test(last) && labels.every((label) => /^(?!-)[a-zA-Z0-9\p{S}\p{L}-]+(?<!-)$/u.test(label))
  );
}

/** 6, 8 or 20 octets, separated by colons or dashes, or pairs of octets separated by dots. */
function isMac(text: string): boolean {
  const separator = /[:.-]/.exec(text)?.[0] ?? "";
  const width = separator === "." ? 4 : 2;
  const parts = separator === "" ? [] : text.split(separator);
  const octets = (parts.length * width) / 2;
  return [6, 8, 20].includes(octets) && parts.every((part) => part.length === width && /^[0-9A-Fa-f]+$/.test(part));
}

function isRgbColor(text: string): boolean {
  const inner = /^rgb\(([\d\s,]+)\)$/.exec(text)?.[1] ?? "";
  const parts = inner.split(",").map((part) => part.trim());
  return parts.length === 3 && parts.every((part) => /^(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])$/.test(part));
}

/** Whether kube-apiserver supports this format for this type. An empty type counts as string. */
export function isKnownFormat(type: string, format: string): boolean {
  switch (type) {
    case "integer":
      return format === "int32" || format === "int64";
    case "number":
      return format === "float" || format === "double";
    case "":
    case "string": {
      const name = format.replaceAll("-", "");
      return formats.has(name) || uncheckedFormats.includes(name);
    }
    default:
      return false;
  }
}

/** Whether a string has a format; true for formats that are not validated. */
export function hasFormat(text: string, format: string): boolean {
  return formats.get(format.replaceAll("-", ""))?.(text) ?? true;
}

function isDate(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (parts === null) return false;
  const [year, month, day] = parts.slice(1).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}

function isDateTime(text: string): boolean {
  const [date = "", time = ""] = text.toLowerCase().split("t");
  const parts = /^(\d{2}):(\d{2}):(\d{2})(.\d+)?(z|[+-]\d{2}:\d{2})$/.exec(time);
  return isDate(date) && parts !== null && Number(parts[1]) < 24 && Number(parts[2]) < 60 && Number(parts[3]) < 60;
}

const longUnits: readonly string[] = ["nano", "micro", "milli", "sec", "min", "hour", "day", "week"];
const shortUnits: readonly string[] = ["ns", "us", "µs", "ms", "s", "m", "h", "hr", "d", "w", "wk"];

/** A Go duration, or a Scala duration: a number and a unit anywhere in the string. */
function isDuration(text: string): boolean {
  if (/^[+-]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return true;
  for (const [, found = ""] of text.matchAll(/\d\s*([A-Za-zµ]+)/g)) {
    const unit = found.toLowerCase();
    if (shortUnits.includes(unit) || longUnits.some((long) => unit.startsWith(long))) return true;
  }
  return false;
}

function isEmail(text: string): boolean {
  const address = /^[^<>]*<([^<>]+)>$/.exec(text)?.[1] ?? text;
  return (
    /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~\u0080-\uffff-]+@[^\s@<>()[\],;:\\"]+$/.test(address) &&
    !/^\.|\.@|\.\./.test(address)
  );
}

function isIpv4(text: string): boolean {
  const parts = text.split(".");
  // Leading zeros are allowed, as in older servers.
  return parts.length === 4 && parts.every((part) => /^\d+$/.test(part) && Number(part) <= 255);
}

function isIpv6(text: string): boolean {
  if (!text.includes(":")) return false;
  const halves = text.split("::");
  if (halves.length > 2) return false;
  let groups = 0;
  for (const [index, half] of halves.entries()) {
    const parts = half === "" ? [] : half.split(":");
    for (const [position, part] of parts.entries()) {
      const isLast = index === halves.length - 1 && position === parts.length - 1;
      if (isLast && isIpv4(part)) groups += 2;
      else if (/^[0-9A-Fa-f]{1,4}$/.test(part)) groups += 1;
      else return false;
    }
  }
  return halves.length === 2 ? groups < 8 : groups === 8;
}

function isCidr(text: string): boolean {
  const parts = /^(.+)\/(0|[1-9]\d{0,2})$/.exec(text);
  if (parts === null) return false;
  const [address = "", bits] = parts.slice(1);
  return (isIpv4(address) && Number(bits) <= 32) || (isIpv6(address) && Number(bits) <= 128);
}
