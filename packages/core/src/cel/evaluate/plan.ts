import type { CelValue } from "../values/value.js";
import type { Step } from "./activation.js";

/** How a node is evaluated. */
export type Plan =
  /** A value that is known before evaluation. It costs nothing. */
  | { readonly kind: "constant"; readonly value: CelValue }
  /** A variable, with the fields and elements selected from it. */
  | Attribute
  | { readonly kind: "step"; readonly step: Step };

/** cel-go charges 1 for an attribute as a whole, and 1 for each selection. */
export interface Attribute {
  readonly kind: "attribute";
  /** Without what the attribute itself costs. */
  readonly resolve: Step;
  /** What `resolve` leaves to its caller to charge. */
  readonly selections: number;
  /** 1; or 0 for a conditional, which is free. */
  readonly own: 0 | 1;
}

/** A plan as a step that charges all its costs. */
export function stepOf(plan: Plan): Step {
  switch (plan.kind) {
    case "constant": {
      const { value } = plan;
      return () => value;
    }
    case "attribute": {
      const { resolve, selections, own } = plan;
      const cost = selections + own;
      if (cost === 0) return resolve;
      return (activation) => {
        activation.cost += cost;
        return resolve(activation);
      };
    }
    default:
      return plan.step;
  }
}

/** A plan as the operand of a selection. */
export function attributeOf(plan: Plan): Attribute {
  return plan.kind === "attribute" ? plan : { kind: "attribute", resolve: stepOf(plan), selections: 0, own: 1 };
}
