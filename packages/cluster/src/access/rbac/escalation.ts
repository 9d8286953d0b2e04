import { goQuote } from "@kubewright/core/json";
import type { PolicyRule, RoleAuthorizer } from "../authorizer.js";
import type { User } from "../user.js";
import { uncoveredRules } from "./covers.js";
import { joinErrors } from "./user-rules.js";

/** A user who grants rules in a namespace; empty for the whole cluster. */
export interface Granting {
  readonly user: User;
  readonly namespace: string;
  readonly rules: readonly PolicyRule[];
}

/** Why a user may not grant rules: a user can grant only permissions that they hold. Undefined if they hold all of them. */
export function escalationOf(authorizer: RoleAuthorizer, { user, namespace, rules }: Granting): string | undefined {
  const held = authorizer.heldRules(user, namespace);
  const missing = uncoveredRules(held.rules, rules);
  if (missing.length === 0) return undefined;
  const lines = [...new Set(compact(missing).map(describe))].sort();
  const unread = held.errors.length === 0 ? "" : `; resolution errors: [${joinErrors(held.errors)}]`;
  const who = `user ${goQuote(user.name)} (groups=${quoteAll(user.groups)})`;
  return `${who} is attempting to grant RBAC permissions not currently held:\n${lines.join("\n")}${unread}`;
}

/** Merges the verbs of rules for the same resource and name. */
function compact(rules: readonly PolicyRule[]): PolicyRule[] {
  const merged = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const { verbs = [], ...rest } = rule;
    const key = JSON.stringify(rule.nonResourceURLs === undefined ? rest : rule);
    merged.set(key, { ...rest, verbs: [...(merged.get(key)?.verbs ?? []), ...verbs] });
  }
  return [...merged.values()];
}

const fields = [
  ["APIGroups", "apiGroups"],
  ["Resources", "resources"],
  ["NonResourceURLs", "nonResourceURLs"],
  ["ResourceNames", "resourceNames"],
  ["Verbs", "verbs"],
] as const;

function describe(rule: PolicyRule): string {
  const parts = fields.flatMap(([title, field]) => {
    const values = rule[field] ?? [];
    return values.length === 0 ? [] : [`${title}:${quoteAll(values)}`];
  });
  return `{${parts.join(", ")}}`;
}

/** A list of strings as Go's `%q` prints it. */
function quoteAll(values: readonly string[]): string {
  return `[${values.map(goQuote).join(" ")}]`;
}
