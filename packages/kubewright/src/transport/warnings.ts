/**
 * The texts in a `warning` header, in which an API server says, for instance, that an API is deprecated.
 *
 * Several warnings stand in one value, separated by commas; each is a code, an agent, and a text in quotes. As client-go does, only
 * code 299 is a warning of an API server. What does not have this form is left out.
 */
export function warningTexts(header: string): string[] {
  const texts: string[] = [];
  const warning = /\s*(\d{3}) (\S+) "((?:[^"\\]|\\.)*)"(?: "(?:[^"\\]|\\.)*")?\s*(?:,|$)/gy;
  for (let match = warning.exec(header); match !== null; match = warning.exec(header)) {
    const [, code, , quoted = ""] = match;
    if (code === "299") texts.push(quoted.replace(/\\(.)/g, "$1"));
  }
  return texts;
}
