/** No vowels, and nothing that looks like one: no words come about by chance. */
const alphabet = "bcdfghjklmnpqrstvwxz2456789";
const suffixLength = 5;
const maxBaseLength = 63 - suffixLength;

/** A name from `metadata.generateName`: the base, cut to 58 characters, and five random ones. `random` gives numbers in [0, 1). */
export function generateName(base: string, random: () => number): string {
  let suffix = "";
  for (let count = 0; count < suffixLength; count++) suffix += alphabet.charAt(Math.floor(random() * alphabet.length));
  return base.slice(0, maxBaseLength) + suffix;
}
