import type { AnyKind } from "./kind.js";

/** Stands in a parameter for what must not be passed there: no value has this type, and the compiler prints the cure. */
export interface Rejected<Cure extends string> {
  readonly error: Cure;
}

/** The kind itself where it is declared, else the cure. The first test is for code whose kinds are known at run time only. */
export type Declared<C extends AnyKind, Allowed, Cure extends string> = [AnyKind] extends [Allowed]
  ? C
  : [C] extends [Allowed]
    ? C
    : Rejected<Cure>;
