/** Kubernetes' alphabet for generated suffixes: without vowels and similar digits, so that no words appear by chance. */
const alphabet = "bcdfghjklmnpqrstvwxz2456789";
const suffixLength = 5;
const maxBaseLength = 63 - suffixLength;

/** A name from `metadata.generateName`: the base, truncated to 58 characters, and a random suffix of five. `random` returns numbers in [0, 1). */
export function generateName(base: string, random: () => number): string {
  let suffix = "";
  for (let count = 0; count < suffixLength; count++) suffix += alphabet.charAt(Math.floor(random() * alphabet.length));
  return base.slice(0, maxBaseLength) + suffix;
}
