let lastSecond = Number.NaN;
let lastText = "";
let lastMoment = Number.NaN;
let lastMicroText = "";

/** Formats milliseconds since the epoch as `metav1.Time`: RFC 3339 with seconds, in UTC. */
export function formatTime(epochMs: number): string {
  const second = Math.floor(epochMs / 1_000);
  // Cached, because most writes are in the same second as the one before.
  if (second !== lastSecond) {
    lastText = `${new Date(epochMs).toISOString().slice(0, -5)}Z`;
    lastSecond = second;
  }
  return lastText;
}

/** Formats milliseconds since the epoch as `metav1.MicroTime`: RFC 3339 with microseconds, in UTC. */
export function formatMicroTime(epochMs: number): string {
  if (epochMs === lastMoment) return lastMicroText;
  const wholeMs = Math.floor(epochMs);
  const micros = Math.floor((epochMs - wholeMs) * 1_000);
  lastMicroText = `${new Date(wholeMs).toISOString().slice(0, -1)}${String(micros).padStart(3, "0")}Z`;
  lastMoment = epochMs;
  return lastMicroText;
}
