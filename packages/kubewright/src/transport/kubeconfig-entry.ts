import { readFile } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { OperatorError } from "@kubewright/core/errors";
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import type { KubeconfigDocument } from "./kubeconfig-document.js";

/**
 * One named entry of a kubeconfig, or an object inside it: typed access to its fields, as in kubectl.
 *
 * Every method throws CONFIG_INVALID for a value of another type; the message names the field and the entry.
 */
export class KubeconfigEntry {
  readonly file: string;
  readonly #value: JsonObject;
  readonly #what: string;

  constructor(value: JsonObject, { file, what }: { file: string; what: string }) {
    this.#value = value;
    this.file = file;
    this.#what = what;
  }

  /** Returns the entry of the first document that has one of that name. Entries are not merged. */
  static find(
    documents: readonly KubeconfigDocument[],
    [list, field]: readonly [list: string, field: string],
    name: string,
  ): KubeconfigEntry | undefined {
    for (const { content, file } of documents) {
      const entries = content[list];
      for (const entry of Array.isArray(entries) ? entries : []) {
        if (!isJsonObject(entry) || asString(entry["name"]) !== name) continue;
        const value = entry[field] ?? {};
        const what = `${field} "${name}"`;
        if (!isJsonObject(value)) throw failure(file, `${what} is not an object`);
        return new KubeconfigEntry(value, { file, what });
      }
    }
    return undefined;
  }

  invalid(why: string, cause?: unknown): OperatorError {
    return failure(this.file, `${this.#what} ${why}`, cause);
  }

  has(field: string): boolean {
    return (getOwn(this.#value, field) ?? null) !== null;
  }

  value(field: string): JsonValue | undefined {
    return getOwn(this.#value, field);
  }

  /** Undefined for an empty string too: a kubeconfig does not distinguish them. */
  string(field: string): string | undefined {
    const text = asString(getOwn(this.#value, field));
    if (text === undefined) throw this.invalid(`has a "${field}" that is not a string; put it in quotes`);
    return text === "" ? undefined : text;
  }

  flag(field: string): boolean {
    const value = getOwn(this.#value, field) ?? false;
    if (typeof value !== "boolean") throw this.invalid(`has a "${field}" that is not true or false`);
    return value;
  }

  strings(field: string): string[] {
    const values = getOwn(this.#value, field) ?? [];
    if (!Array.isArray(values)) throw this.invalid(`has a "${field}" that is not a list`);
    return values.map((value: JsonValue) => {
      const text = asString(value);
      if (text === undefined) throw this.invalid(`has a "${field}" with an element that is not a string`);
      return text;
    });
  }

  part(field: string): KubeconfigEntry | undefined {
    const value = getOwn(this.#value, field) ?? null;
    if (value === null) return undefined;
    if (!isJsonObject(value)) throw this.invalid(`has a "${field}" that is not an object`);
    return new KubeconfigEntry(value, { file: this.file, what: `"${field}" of ${this.#what}` });
  }

  parts(field: string): KubeconfigEntry[] {
    const values = getOwn(this.#value, field) ?? [];
    if (!Array.isArray(values)) throw this.invalid(`has a "${field}" that is not a list`);
    return values.map((value: JsonValue) => {
      if (!isJsonObject(value)) throw this.invalid(`has a "${field}" with an element that is not an object`);
      return new KubeconfigEntry(value, { file: this.file, what: `an entry of "${field}" of ${this.#what}` });
    });
  }

  fields(): readonly string[] {
    return Object.keys(this.#value);
  }

  /** Paths in a kubeconfig are relative to its directory. */
  path(field: string): string | undefined {
    const path = this.string(field);
    return path === undefined ? undefined : isAbsolute(path) ? path : join(resolve(dirname(this.file)), path);
  }

  /** Reads `<field>-data` (base64), else the file at `<field>`. */
  async pem(field: string): Promise<{ readonly text: string; readonly file?: string } | undefined> {
    const data = this.string(`${field}-data`);
    if (data !== undefined) {
      if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(data)) throw this.invalid(`has a "${field}-data" that is not base64`);
      return { text: Buffer.from(data, "base64").toString("utf8") };
    }
    const file = this.path(field);
    if (file === undefined) return undefined;
    try {
      return { text: await readFile(file, "utf8"), file };
    } catch (cause) {
      throw this.invalid(
        `has a "${field}" that cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
        cause,
      );
    }
  }
}

/** Converts an unquoted YAML scalar back to a string: kubectl accepts a token of digits. Undefined: not a scalar, or a number that lost precision. */
function asString(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value === "boolean" || (typeof value === "number" && Number.isSafeInteger(value))) return String(value);
  return undefined;
}

function failure(file: string, why: string, cause?: unknown): OperatorError {
  return new OperatorError(
    "CONFIG_INVALID",
    `Cannot use kubeconfig "${file}": ${why}`,
    cause === undefined ? undefined : { cause },
  );
}
