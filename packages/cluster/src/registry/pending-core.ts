export function generateName(base: string, random: () => number): string {
  const alphabet = "bcdfghjklmnpqrstvwxz2456789";
  let suffix = "";
  for (let index = 0; index < 5; index++) suffix += alphabet[Math.floor(random() * alphabet.length)] ?? "b";
  return base.slice(0, 58) + suffix;
}

export function compareVersions(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
