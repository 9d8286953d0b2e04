import { goQuote } from "@kubewright/core/json";
import { invalid, required, tooLong } from "@kubewright/core/schema";
import { labelName, subdomainName } from "../../name-rules.js";
import type { Errors } from "../../validation/index.js";

/** Validates a signer name: a domain of at least two labels, and a path of one segment. */
export function checkSignerName(name: string, field: string, errors: Errors): void {
  if (name === "") return void errors.push(required(field));
  const [domain = "", path = "", ...more] = name.split("/");
  if (!name.includes("/") || more.length > 0)
    return void errors.push(
      invalid(field, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'"),
    );
  if (domain.length > 253) errors.push(tooLong(field, 253));
  checkFirst(domain, labelName, field, errors);
  if (!domain.includes("."))
    errors.push(invalid(field, domain, "should be a domain with at least two segments separated by dots"));
  checkFirst(path, subdomainName, field, errors);
  if (name.length > 571) errors.push(tooLong(field, 571));
}

/** Reports only the first invalid label. */
function checkFirst(text: string, rule: typeof labelName, field: string, errors: Errors): void {
  const wrong = text.split(".").find((label) => rule(label).length > 0);
  if (wrong === undefined) return;
  for (const detail of rule(wrong)) errors.push(invalid(field, text, `validating label ${goQuote(wrong)}: ${detail}`));
}
