/** A moment as most fields carry it: RFC 3339 to the second, in UTC. Takes milliseconds since the epoch. */
export function formatTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, -5)}Z`;
}

/** A moment as leases and events carry it: RFC 3339 to the microsecond, in UTC. Takes milliseconds since the epoch. */
export function formatMicroTime(epochMs: number): string {
  const wholeMs = Math.floor(epochMs);
  const micros = Math.floor((epochMs - wholeMs) * 1_000);
  return `${new Date(wholeMs).toISOString().slice(0, -1)}${String(micros).padStart(3, "0")}Z`;
}
