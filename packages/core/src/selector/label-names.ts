const keyFormat = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const keyRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  `(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${keyFormat}')`;
const valueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end " +
  `with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(${keyFormat})?')`;
const labelFormat = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const prefixRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end " +
  `with an alphanumeric character (e.g. 'example.com', regex used for validation is '${labelFormat}(\\.${labelFormat})*')`;

const dnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const maxLength = 63;
const maxPrefixLength = 253;

/** Validation errors of a label or annotation key, with kube-apiserver's messages; empty if it is valid. */
export function labelKeyProblems(key: string): string[] {
  const problems: string[] = [];
  const parts = key.split("/");
  if (parts.length > 2) {
    return [`a valid label key ${keyRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const name = parts.at(-1) ?? "";
  const prefix = parts.length === 2 ? parts[0] : undefined;
  if (prefix === "") problems.push("prefix part must be non-empty");
  else if (prefix !== undefined) {
    if (prefix.length > maxPrefixLength) problems.push(`prefix part must be no more than ${maxPrefixLength} bytes`);
    if (!prefix.split(".").every((part) => dnsLabel.test(part))) problems.push(`prefix part ${prefixRule}`);
  }
  if (name === "") problems.push("name part must be non-empty");
  else if (name.length > maxLength) problems.push(`name part must be no more than ${maxLength} bytes`);
  if (!isName(name)) problems.push(`name part ${keyRule}`);
  return problems;
}

/** Validation errors of a label value, with kube-apiserver's messages; empty if it is valid. */
export function labelValueProblems(value: string): string[] {
  const problems: string[] = [];
  if (value.length > maxLength) problems.push(`must be no more than ${maxLength} bytes`);
  if (value !== "" && !isName(value)) problems.push(valueRule);
  return problems;
}

function isName(text: string): boolean {
  return /^[-A-Za-z0-9_.]+$/.test(text) && /^[A-Za-z0-9]/.test(text) && /[A-Za-z0-9]$/.test(text);
}
