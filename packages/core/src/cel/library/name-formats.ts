const labelPattern = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomainPattern = `${labelPattern}(\\.${labelPattern})*`;
const startPattern = "[a-z]([-a-z0-9]*[a-z0-9])?";

interface NameRule {
  readonly pattern: string;
  readonly maxLength: number;
  readonly message: string;
  readonly examples: readonly string[];
}

const label: NameRule = {
  pattern: labelPattern,
  maxLength: 63,
  message:
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  examples: ["my-name", "123-abc"],
};

const subdomain: NameRule = {
  pattern: subdomainPattern,
  maxLength: 253,
  message:
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  examples: ["example.com"],
};

const label1035: NameRule = {
  pattern: startPattern,
  maxLength: 63,
  message:
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  examples: ["my-name", "abc-123"],
};

function problems({ pattern, maxLength, message, examples }: NameRule, given: string): string[] {
  const found: string[] = [];
  if (Buffer.byteLength(given) > maxLength) found.push(`must be no more than ${maxLength} bytes`);
  if (new RegExp(`^(?:${pattern})$`).test(given)) return found;
  const example = examples.map((one) => `'${one}'`).join(",  or ");
  return [...found, `${message} (e.g. ${example}, regex used for validation is '${pattern}')`];
}

/** A prefix of a name may end with a dash, as `generateName` does. */
function maskDash(name: string, isPrefix: boolean): string {
  return isPrefix && name.length > 1 && name.endsWith("-") ? `${name.slice(0, -2)}a` : name;
}

export function dnsLabelProblems(name: string, isPrefix: boolean): string[] {
  return problems(label, maskDash(name, isPrefix));
}

export function dnsSubdomainProblems(name: string, isPrefix: boolean): string[] {
  return problems(subdomain, maskDash(name, isPrefix));
}

export function dns1035LabelProblems(name: string, isPrefix: boolean): string[] {
  return problems(label1035, maskDash(name, isPrefix));
}
