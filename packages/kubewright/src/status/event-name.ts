const bytes: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

let lastMs = Number.NaN;
let lastText = "";

/** A name for a new event about the object `name`: no other has it, and those of one object are in the order of their times. */
export function eventName(name: string, nowMs: number, random: () => number): string {
  // Writing large numbers is slow, and events come together.
  if (nowMs !== lastMs) {
    lastMs = nowMs;
    lastText = nowMs.toString(16);
  }
  const number = Math.floor(random() * 2 ** 32);
  const start = name.length > 220 ? name.slice(0, 220) : name;
  return `${start}.${lastText}${hex(number >>> 24)}${hex(number >>> 16)}${hex(number >>> 8)}${hex(number)}`;
}

function hex(number: number): string {
  return bytes[number & 0xff] ?? "";
}
