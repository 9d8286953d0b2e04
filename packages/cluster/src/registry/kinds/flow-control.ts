import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../columns.js";
import { childDraft, isDraft, listAt, metadataOf, objectAt, setDefault, textAt, textsAt } from "../draft.js";
import { labelName, subdomainName } from "../name-rules.js";
import type { Strategy } from "../resource.js";
import { checkName, type Errors, entriesAt, numberAt, optionalNumber, partAt } from "./field-checks.js";
import { keepOtherPart, specChanged } from "./workload.js";

const verbs = ["create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"];
const subjects: Readonly<Record<string, string>> = { Group: "group", ServiceAccount: "serviceAccount", User: "user" };
const positive = "must be positive";

const shared = {
  nameRule: subdomainName,
  unconditionalUpdate: true,
  tracksGeneration: true,
  prepareNew(draft) {
    draft["status"] = {};
  },
  prepareChange: keepOtherPart,
  isNewGeneration: specChanged,
} satisfies Partial<Strategy>;

/** Which requests have which priority; told, not enforced: this server answers every request at once. */
export const flowSchemaStrategy: Strategy = {
  ...shared,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    if (numberAt(spec, "matchingPrecedence") === 0) spec["matchingPrecedence"] = 1000;
  },
  check(object, _old, subresource) {
    if (subresource === "status") return [];
    const errors: Errors = [];
    checkSchema(object, errors);
    return errors;
  },
  rowOrder: (one, other) => precedenceOf(one) - precedenceOf(other),
  columns: [
    nameColumn,
    {
      name: "PriorityLevel",
      type: "string",
      cell: (object) => textAt(objectAt(objectAt(object, "spec"), "priorityLevelConfiguration"), "name"),
    },
    {
      name: "MatchingPrecedence",
      type: "string",
      cell: precedenceOf,
    },
    {
      name: "DistinguisherMethod",
      type: "string",
      cell: (object) => textAt(objectAt(objectAt(object, "spec"), "distinguisherMethod"), "type") || "<none>",
    },
    ageColumn,
    { name: "MissingPL", type: "string", cell: printDangling },
  ],
};

function precedenceOf(object: JsonObject): number {
  return numberAt(objectAt(object, "spec"), "matchingPrecedence");
}

function printDangling(object: JsonObject): string {
  const found = listAt(objectAt(object, "status"), "conditions").find(
    (one) => isJsonObject(one) && textAt(one, "type") === "Dangling",
  );
  return isJsonObject(found) ? textAt(found, "status") : "?";
}

function checkSchema(object: JsonObject, errors: Errors): void {
  const spec = objectAt(object, "spec");
  const precedence = numberAt(spec, "matchingPrecedence");
  const field = "spec.matchingPrecedence";
  if (precedence <= 0) errors.push(invalid(field, precedence, "must be a positive value"));
  if (precedence > 10_000) errors.push(invalid(field, precedence, "must not be greater than 10000"));
  if (precedence === 1 && textAt(metadataOf(object), "name") !== "exempt")
    errors.push(invalid(field, precedence, "only the schema named 'exempt' may have matchingPrecedence 1"));
  const method = partAt(spec, "distinguisherMethod");
  const type = textAt(method ?? {}, "type");
  // The real server quotes the whole structure.
  if (method && type !== "ByNamespace" && type !== "ByUser")
    errors.push(notSupported("spec.distinguisherMethod.type", { Type: type }, ["ByNamespace", "ByUser"]));
  const level = textAt(objectAt(spec, "priorityLevelConfiguration"), "name");
  if (level === "") errors.push(required("spec.priorityLevelConfiguration.name", "must reference a priority level"));
  else checkName(level, subdomainName, "spec.priorityLevelConfiguration.name", errors);
  for (const [rule, at] of entriesAt(spec, "rules", "spec")) checkRule(rule, at, errors);
}

function checkRule(rule: JsonObject, at: string, errors: Errors): void {
  if (listAt(rule, "subjects").length === 0)
    errors.push(required(`${at}.subjects`, "subjects must contain at least one value"));
  for (const [subject, place] of entriesAt(rule, "subjects", at)) checkSubject(subject, place, errors);
  if (listAt(rule, "resourceRules").length + listAt(rule, "nonResourceRules").length === 0)
    errors.push(required(at, "at least one of resourceRules and nonResourceRules has to be non-empty"));
  for (const [resources, place] of entriesAt(rule, "resourceRules", at)) checkResourceRule(resources, place, errors);
  for (const [urls, place] of entriesAt(rule, "nonResourceRules", at)) {
    checkVerbs(urls, place, errors);
    checkList(urls, place, {
      key: "nonResourceURLs",
      missing: "nonResourceURLs must contain at least one value",
      others: "non-resource URLs",
      errors,
    });
    const paths = textsAt(urls, "nonResourceURLs");
    if (!paths.includes("*"))
      for (const [index, path] of paths.entries()) {
        const problem = pathProblem(path);
        if (problem !== undefined) errors.push(invalid(`${place}.nonResourceURLs[${index}]`, path, problem));
      }
  }
}

function checkSubject(subject: JsonObject, at: string, errors: Errors): void {
  const kind = textAt(subject, "kind");
  const key = Object.hasOwn(subjects, kind) ? subjects[kind] : undefined;
  if (key === undefined) return void errors.push(notSupported(`${at}.kind`, kind, Object.keys(subjects)));
  const part = partAt(subject, key);
  if (!part) errors.push(required(`${at}.${key}`, `${key} is required when subject kind is '${kind}'`));
  else {
    const name = textAt(part, "name");
    if (name === "") errors.push(required(`${at}.${key}.name`));
    else if (kind === "ServiceAccount" && name !== "*") checkName(name, subdomainName, `${at}.${key}.name`, errors);
    if (kind === "ServiceAccount") {
      const namespace = textAt(part, "namespace");
      if (namespace === "")
        errors.push(required(`${at}.${key}.namespace`, "must specify namespace for service account"));
      else checkName(namespace, labelName, `${at}.${key}.namespace`, errors);
    }
  }
  for (const [other, otherKey] of [
    ["ServiceAccount", "serviceAccount"],
    ["User", "user"],
    ["Group", "group"],
  ] as const)
    if (other !== kind && partAt(subject, otherKey))
      errors.push(forbidden(`${at}.${otherKey}`, `${otherKey} is forbidden when subject kind is not '${other}'`));
}

function checkVerbs(rule: JsonObject, at: string, errors: Errors): void {
  const missing = "verbs must contain at least one value";
  checkList(rule, at, { key: "verbs", missing, others: "verbs", errors });
  const wanted = textsAt(rule, "verbs");
  if (!wanted.includes("*") && wanted.some((verb) => !verbs.includes(verb)))
    errors.push(notSupported(`${at}.verbs`, wanted, verbs));
}

/** A list that must not be empty, and of which `*` must be the only entry. */
function checkList(
  rule: JsonObject,
  at: string,
  {
    key,
    missing,
    others,
    errors,
  }: { readonly key: string; readonly missing: string; readonly others: string; readonly errors: Errors },
): void {
  const values = textsAt(rule, key);
  if (values.length === 0) errors.push(required(`${at}.${key}`, missing));
  else if (values.length > 1 && values.includes("*"))
    errors.push(invalid(`${at}.${key}`, values, `if '*' is present, must not specify other ${others}`));
}

function checkResourceRule(rule: JsonObject, at: string, errors: Errors): void {
  checkVerbs(rule, at, errors);
  for (const [key, one, others] of [
    ["apiGroups", "api group", "api groups"],
    ["resources", "resource", "resources"],
  ] as const)
    checkList(rule, at, { key, missing: `resource rules must supply at least one ${one}`, others, errors });
  const namespaces = textsAt(rule, "namespaces");
  if (rule["clusterScope"] !== true || namespaces.length > 0)
    checkList(rule, at, {
      key: "namespaces",
      missing: "resource rules that are not cluster scoped must supply at least one namespace",
      others: "namespaces",
      errors,
    });
  if (!namespaces.includes("*"))
    for (const [index, namespace] of namespaces.entries())
      for (const detail of labelName(namespace))
        errors.push(
          invalid(
            `${at}.namespaces[${index}]`,
            namespace,
            `each member of this list must be '*' or a DNS-1123 label; ${detail}`,
          ),
        );
}

function pathProblem(path: string): string | undefined {
  if (path === "") return "must not be empty";
  if (path === "/") return undefined;
  if (!path.startsWith("/")) return "must start with slash";
  if (path.includes(" ")) return "must not contain white-space";
  if (path.includes("//")) return "must not contain double slash";
  return /^[^*]*(\/\*)?$/.test(path) ? undefined : "wildcard can only do suffix matching";
}

/** How many requests of a priority are answered at once. */
export const priorityLevelStrategy: Strategy = {
  ...shared,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    for (const [key, shares] of [
      ["limited", 30],
      ["exempt", 0],
    ] as const) {
      const part = spec[key];
      if (!isDraft(part)) continue;
      // Unset numbers are there, as null.
      part["nominalConcurrencyShares"] ??= shares;
      part["lendablePercent"] ??= 0;
      const response = part["limitResponse"];
      const queuing = isDraft(response) ? response["queuing"] : undefined;
      if (!isDraft(queuing)) continue;
      for (const [name, value] of [
        ["handSize", 8],
        ["queues", 64],
        ["queueLengthLimit", 50],
      ] as const)
        if (numberAt(queuing, name) === 0) queuing[name] = value;
    }
    setDefault(spec, "type", "");
  },
  check(object, _old, subresource) {
    if (subresource === "status") return [];
    const errors: Errors = [];
    checkLevel(textAt(metadataOf(object), "name"), objectAt(object, "spec"), errors);
    return errors;
  },
  columns: [
    nameColumn,
    { name: "Type", type: "string", cell: (object) => textAt(objectAt(object, "spec"), "type") },
    { name: "NominalConcurrencyShares", type: "string", cell: (object) => limit(object, "nominalConcurrencyShares") },
    { name: "Queues", type: "string", cell: (object) => queue(object, "queues") },
    { name: "HandSize", type: "string", cell: (object) => queue(object, "handSize") },
    { name: "QueueLengthLimit", type: "string", cell: (object) => queue(object, "queueLengthLimit") },
    ageColumn,
  ],
};

function limit(object: JsonObject, key: string): string | number {
  return optionalNumber(objectAt(objectAt(object, "spec"), "limited"), key) ?? "<none>";
}

function queue(object: JsonObject, key: string): string | number {
  const response = objectAt(objectAt(objectAt(object, "spec"), "limited"), "limitResponse");
  return optionalNumber(objectAt(response, "queuing"), key) ?? "<none>";
}

function checkLevel(name: string, spec: JsonObject, errors: Errors): void {
  const type = textAt(spec, "type");
  if ((name === "exempt") !== (type === "Exempt"))
    errors.push(invalid("spec.type", type, "must be 'Exempt' if and only if `name` is 'exempt'"));
  const [limited, exempt] = [partAt(spec, "limited"), partAt(spec, "exempt")];
  if (type === "Exempt") {
    if (limited) errors.push(forbidden("spec.limited", "must be nil if the type is not Limited"));
    if (exempt) checkShares(exempt, "spec.exempt", errors);
  } else if (type === "Limited") {
    if (exempt) errors.push(forbidden("spec.exempt", "must be nil if the type is Limited"));
    if (limited) checkLimited(limited, errors);
    else errors.push(required("spec.limited", "must not be empty when type is Limited"));
  } else if (type === "") errors.push(required("spec.type"));
  else errors.push(notSupported("spec.type", type, ["Exempt", "Limited"]));
}

function checkShares(part: JsonObject, field: string, errors: Errors): void {
  const shares = numberAt(part, "nominalConcurrencyShares");
  if (shares < 0) errors.push(invalid(`${field}.nominalConcurrencyShares`, shares, "must be a non-negative integer"));
  const lendable = optionalNumber(part, "lendablePercent");
  if (lendable !== undefined && (lendable < 0 || lendable > 100))
    errors.push(invalid(`${field}.lendablePercent`, lendable, "must be between 0 and 100, inclusive"));
}

function checkLimited(limited: JsonObject, errors: Errors): void {
  const field = "spec.limited";
  checkShares(limited, field, errors);
  const response = objectAt(limited, "limitResponse");
  const type = textAt(response, "type");
  const queuing = partAt(response, "queuing");
  const at = `${field}.limitResponse`;
  if (type === "") errors.push(required(`${at}.type`));
  else if (type === "Reject") {
    if (queuing) errors.push(forbidden(`${at}.queuing`, "must be nil if limited.limitResponse.type is not Limited"));
  } else if (type !== "Queue") errors.push(notSupported(`${at}.type`, type, ["Queue", "Reject"]));
  else if (queuing) checkQueuing(queuing, `${at}.queuing`, errors);
  else errors.push(required(`${at}.queuing`, "must not be empty if limited.limitResponse.type is Limited"));
  const borrowing = optionalNumber(limited, "borrowingLimitPercent");
  if (borrowing !== undefined && borrowing < 0)
    errors.push(invalid(`${field}.borrowingLimitPercent`, borrowing, "if specified, must be a non-negative integer"));
}

function checkQueuing(queuing: JsonObject, field: string, errors: Errors): void {
  const [length, queues, hand] = ["queueLengthLimit", "queues", "handSize"].map((key) => numberAt(queuing, key));
  if (length === undefined || queues === undefined || hand === undefined) return;
  if (length <= 0) errors.push(invalid(`${field}.queueLengthLimit`, length, positive));
  if (queues <= 0) errors.push(invalid(`${field}.queues`, queues, positive));
  else if (queues > 10_000_000) errors.push(invalid(`${field}.queues`, queues, "must not be greater than 10000000"));
  if (hand <= 0) errors.push(invalid(`${field}.handSize`, hand, positive));
  else if (hand > queues)
    errors.push(invalid(`${field}.handSize`, hand, `should not be greater than queues (${queues})`));
  else if (Math.ceil(Math.log2(queues) * hand) > 60)
    errors.push(
      invalid(
        `${field}.handSize`,
        hand,
        `required entropy bits of deckSize ${queues} and handSize ${hand} should not be greater than 60`,
      ),
    );
}
