/** Replaces in command output what differs between runs and servers: names, times, versions, addresses, column widths. */
export function plainOutput(text: string): string {
  return text
    .replace(/^\{.*\}$/gm, inOrder)
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "UID")
    .replace(/(resourceVersion"?: ?)"\d+"/gi, '$1"RV"')
    .replace(/(Resource Version: +)\d+/g, "$1RV")
    .replace(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "TIME")
    .replace(/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} 20\d\d \d\d:\d\d:\d\d [+-]\d{4}/g, "TIME")
    .replace(/[A-Z][a-z]{2} [A-Z][a-z]{2} +\d+ \d\d:\d\d:\d\d 20\d\d/g, "TIME")
    .replace(/20\d\d-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+ [+-]\d{4} UTC)?/g, "TIME")
    .replace(/(modifiedAt: )"\d+"/g, '$1"TIME"')
    .replace(/(LIVE|MERGED)-\d+/g, "$1-N")
    .replace(/^([+-]{3} \S+)\t.*$/gm, "$1")
    .replace(/kubectl-edit-\d+\.yaml/g, "kubectl-edit-N.yaml")
    .replace(/https?:\/\/127\.0\.0\.1:\d+/g, "SERVER")
    .replace(/127\.0\.0\.1:\d+/g, "HOST")
    .replace(/\/tmp\/kubewright-commands-\w+/g, "FOLDER")
    .replace(/\b10\.\d+\.\d+\.\d+\b/g, "IP")
    .replace(/(?<=nodePort"?: +|\d:)3[0-2]\d{3}\b/gi, "PORT")
    .replace(/^(NodePort: .* )3[0-2]\d{3}\b/gm, "$1PORT")
    .replace(/[IWE]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ /g, "LOG ")
    .replace(/X509SHA256=[0-9a-f]{64}/g, "X509SHA256=HASH")
    .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, "TOKEN")
    .replace(/(?<=[\s(])(?:\d+d)?(?:\d+h)?\d+(?:ms|s|m\d*s?|h\d*m?|d)(?=[\s)]|$)/g, "AGE")
    .replace(/(?<=\S) {2,}/g, "   ")
    .replace(/ +$/gm, "");
}

/** A line of JSON with sorted keys: the key order of a real server differs. */
function inOrder(line: string): string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return line;
  }
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
