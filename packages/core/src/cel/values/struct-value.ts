import type { CelType } from "../types/type-shape.js";
import { type CelValue, MapValue } from "./value.js";

/** An object that an expression made of fields, such as `Object{spec: …}` in a MutatingAdmissionPolicy. */
export class StructValue extends MapValue {
  readonly #type: CelType;
  readonly fields: ReadonlyMap<string, CelValue>;

  constructor(type: CelType, fields: ReadonlyMap<string, CelValue>) {
    super();
    this.#type = type;
    this.fields = fields;
  }

  override get type(): CelType {
    return this.#type;
  }

  get size(): number {
    return this.fields.size;
  }

  get(key: CelValue): CelValue | undefined {
    return typeof key === "string" ? this.fields.get(key) : undefined;
  }

  keys(): CelValue[] {
    return [...this.fields.keys()];
  }
}
