import { labelKeyProblems, labelValueProblems } from "@kubewright/core/selector";

/** Validates a name. Returns kube-apiserver's error messages; none if the name is valid. */
export type NameRule = (value: string) => readonly string[];

const labelFormat = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomainFormat = `${labelFormat}(\\.${labelFormat})*`;
const labelPattern = new RegExp(`^${labelFormat}$`);
const subdomainPattern = new RegExp(`^${subdomainFormat}$`);
const dns1035Pattern = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const configKeyPattern = /^[-._a-zA-Z0-9]+$/;

function tooLong(limit: number): string {
  return `must be no more than ${limit} characters`;
}

/** apimachinery's `RegexError`. */
function regexError(message: string, format: string, ...examples: string[]): string {
  if (examples.length === 0) return `${message} (regex used for validation is '${format}')`;
  return `${message} (e.g. ${examples.map((example) => `'${example}'`).join(",  or ")}, regex used for validation is '${format}')`;
}

function byteLength(value: string): number {
  return Buffer.byteLength(value, "utf8");
}

/** RFC 1123 subdomain: the name of most objects. */
export const subdomainName: NameRule = (value) => {
  const problems: string[] = [];
  if (byteLength(value) > 253) problems.push(tooLong(253));
  if (!subdomainPattern.test(value))
    problems.push(
      regexError(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
        subdomainFormat,
        "example.com",
      ),
    );
  return problems;
};

/** RFC 1123 label: the name of a Namespace. */
export const labelName: NameRule = (value) => {
  const problems: string[] = [];
  if (byteLength(value) > 63) problems.push(tooLong(63));
  if (!labelPattern.test(value))
    problems.push(
      subdomainPattern.test(value)
        ? "must not contain dots"
        : regexError(
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
            labelFormat,
            "my-name",
            "123-abc",
          ),
    );
  return problems;
};

/** RFC 1035 label: a CRD's plural, singular, short and version names. */
export const dns1035Label: NameRule = (value) => {
  const problems: string[] = [];
  if (byteLength(value) > 63) problems.push(tooLong(63));
  if (!dns1035Pattern.test(value))
    problems.push(
      regexError(
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
        "[a-z]([-a-z0-9]*[a-z0-9])?",
        "my-name",
        "abc-123",
      ),
    );
  return problems;
};

/** The key of a label, an annotation (in lower case) or a finalizer. */
export const qualifiedName: NameRule = labelKeyProblems;

/** The value of a label. */
export const labelValue: NameRule = labelValueProblems;

/** A key of a ConfigMap's or a Secret's data. */
export const configKey: NameRule = (value) => {
  const problems: string[] = [];
  if (byteLength(value) > 253) problems.push(tooLong(253));
  if (!configKeyPattern.test(value))
    problems.push(
      regexError(
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
        "[-._a-zA-Z0-9]+",
        "key.name",
        "KEY_NAME",
        "key-name",
      ),
    );
  if (value === ".") problems.push("must not be '.'");
  else if (value === "..") problems.push("must not be '..'");
  else if (value.startsWith("..")) problems.push("must not start with '..'");
  return problems;
};

/** The same rule for a `generateName`, which may end with a dash. */
export function asPrefix(rule: NameRule): NameRule {
  return (value) => rule(value.length > 1 && value.endsWith("-") ? `${value.slice(0, -2)}a` : value);
}

/** Path segment name: the name of RBAC roles and bindings. */
export const pathSegmentName: NameRule = (value) => {
  if (value === "." || value === "..") return [`may not be '${value}'`];
  return ["/", "%"].filter((part) => value.includes(part)).map((part) => `may not contain '${part}'`);
};
