let lastSecond = Number.NaN;
let lastText = "";
let lastMoment = Number.NaN;
let lastMicroText = "";

/** A moment as most fields carry it: RFC 3339 to the second, in UTC. Takes milliseconds since the epoch. */
export function formatTime(epochMs: number): string {
  const second = Math.floor(epochMs / 1_000);
  // Most times of a write are the same second as the one before.
  if (second !== lastSecond) {
    lastText = `${new Date(epochMs).toISOString().slice(0, -5)}Z`;
    lastSecond = second;
  }
  return lastText;
}

/** A moment as leases and events carry it: RFC 3339 to the microsecond, in UTC. Takes milliseconds since the epoch. */
export function formatMicroTime(epochMs: number): string {
  if (epochMs === lastMoment) return lastMicroText;
  const wholeMs = Math.floor(epochMs);
  const micros = Math.floor((epochMs - wholeMs) * 1_000);
  lastMicroText = `${new Date(wholeMs).toISOString().slice(0, -1)}${String(micros).padStart(3, "0")}Z`;
  lastMoment = epochMs;
  return lastMicroText;
}
