/**
 * Parses the messages of a `Warning` header, which API servers send for instance for deprecated APIs.
 *
 * A header value holds several warnings, separated by commas; each has a code, an agent and a quoted text. As in client-go, only code 299 counts.
 * Malformed warnings are skipped.
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
