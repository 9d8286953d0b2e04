/** No vowels, so that no words come about, and nothing that can be taken for something else. */
const alphabet = "bcdfghjklmnpqrstvwxz2456789";

/** A text of characters that are safe in names, one for each byte of the given one. */
export function safeEncode(text: string): string {
  let encoded = "";
  for (const byte of Buffer.from(text)) encoded += alphabet.charAt(byte % alphabet.length);
  return encoded;
}
