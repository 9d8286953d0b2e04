const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const hostname =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;

/** The formats of strings that a CRD may ask for, by their names without dashes. Others are ignored, as by the server. */
const formats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["datetime", isDateTime],
  ["date", isDate],
  ["duration", isDuration],
  ["byte", (text: string) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)],
  ["uri", (text: string) => /^(\/|[A-Za-z][A-Za-z0-9+.-]*:)/.test(text) && !/[\s\p{Cc}]/u.test(text)],
  ["email", isEmail],
  ["ipv4", isIpv4],
  ["ipv6", isIpv6],
  ["cidr", isCidr],
  [
    "mac",
    (text: string) => /^([0-9A-Fa-f]{2}([:-])[0-9A-Fa-f]{2}(\2[0-9A-Fa-f]{2}){4}(\2[0-9A-Fa-f]{2}){0,2})$/.test(text),
  ],
  ["uuid", (text: string) => uuid.test(text)],
  ["uuid3", (text: string) => uuid.test(text) && text.replaceAll("-", "")[12] === "3"],
  ["uuid4", (text: string) => uuid.test(text) && /^.{12}4.{3}[89ab]/i.test(text.replaceAll("-", ""))],
  ["uuid5", (text: string) => uuid.test(text) && /^.{12}5.{3}[89ab]/i.test(text.replaceAll("-", ""))],
  [
    "hostname",
    (text: string) => text.length <= 255 && hostname.test(text) && text.split(".").every((part) => part.length <= 63),
  ],
  ["bsonobjectid", (text: string) => /^[0-9a-f]{24}$/i.test(text)],
  ["hexcolor", (text: string) => /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text)],
  ["ssn", (text: string) => /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ["k8sshortname", (text: string) => text.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text)],
  [
    "k8slongname",
    (text: string) =>
      text.length <= 253 && text.split(".").every((part) => /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(part)),
  ],
]);

/** Whether a text has a format; true for formats that are not known. */
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

function isDuration(text: string): boolean {
  if (/^[+-]?(0|(\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+$/.test(text)) return true;
  return /\d+\s*(ns|nano|us|µs|micro|ms|milli|s|sec|m|min|h|hr|hour|d|day|w|wk|week)[a-zµ]*/i.test(text);
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
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
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
