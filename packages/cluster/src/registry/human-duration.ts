/** A short duration, as `kubectl get` prints ages: `5s`, `3m20s`, `2d4h`, `1y20d`. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  // Allows for clock skew: up to two seconds in the future count as now.
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 10) return withRest(minutes, "m", seconds % 60, "s");
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 8) return withRest(hours, "h", minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (hours < 192) return withRest(days, "d", hours % 24, "h");
  if (days < 365 * 2) return `${days}d`;
  const years = Math.trunc(days / 365);
  return days < 365 * 8 ? withRest(years, "y", days % 365, "d") : `${years}y`;
}

function withRest(whole: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0 ? `${whole}${unit}` : `${whole}${unit}${rest}${restUnit}`;
}
