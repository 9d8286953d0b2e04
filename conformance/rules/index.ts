/**
 * Rules of ours over every function and every construct of a schema, compared on a real server and on the embedded one.
 *
 * @module
 */
import { checkRules } from "@kubewright/core/cel";
import type { JsonObject } from "@kubewright/core/json";
import type { Schema } from "@kubewright/core/schema";
import {
  define,
  definitions,
  specSchema,
  version,
  widget,
  widgetDefinition,
  widgets,
} from "../requests/sample-objects.js";
import { post, type Step, type Subject, testCase, wording } from "../test-case.js";
import { ruleProperties, ruleSpecs } from "./rule-objects.js";
import { ruleTable } from "./rule-table.js";

/** The number of rules, and of objects for each. */
export const ruleCounts = { rules: Object.values(ruleTable).flat().length, objects: ruleSpecs.length };

/** One case for each group: each rule alone in a CRD that is not stored, then the accepted ones with each object, whose response lists those violated. */
export const rulesSubject: Subject = {
  name: "rules",
  cases: Object.entries(ruleTable).map(([group, rules]) => testCase(`rules about ${group}`, steps(rules))),
};

function schemaWith(rules: readonly string[]): JsonObject {
  return specSchema(ruleProperties, { "x-kubernetes-validations": rules.map((rule) => ({ rule })) });
}

function steps(rules: readonly string[]): Step[] {
  const accepted = rules.filter((rule) => checkRules(schemaWith([rule]) as Schema, "").length === 0);
  return [
    ...wording(
      rules.map((rule) => {
        const body = widgetDefinition([version("v1", schemaWith([rule]))]);
        return post(`${definitions}?dryRun=All`, body, { fields: ["kind", "code", "reason", "message"] });
      }),
    ),
    ...define(schemaWith(accepted)),
    ...wording(ruleSpecs.map((spec, index) => post(`${widgets}?dryRun=All`, widget(`object-${index}`, { spec })))),
  ];
}
