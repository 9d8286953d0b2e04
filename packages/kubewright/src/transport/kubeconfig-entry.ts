import { readFile } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { OperatorError } from "@kubewright/core/errors";
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import type { KubeconfigDocument } from "./kubeconfig-document.js";

/**
 * One named part of a kubeconfig, or a part of that: reads its fields with their types, as kubectl does.
 *
 * Every method throws CONFIG_INVALID, with the field and the entry in the message, for a value of another type.
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

  /** The first document that has an entry of that name wins, with all of it. */
  static find(
    documents: readonly KubeconfigDocument[],
    [list, field]: readonly [list: string, field: string],
    name: string,
  ): KubeconfigEntry | undefined {
    for (const { content, file } of documents) {
      const entries = content[list];
      for (const entry of Array.isArray(entries) ? entries : []) {
        if (!isJsonObject(entry) || asText(entry["name"]) !== name) continue;
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

  /** Undefined for an empty one too, which means the same everywhere in a kubeconfig. */
  text(field: string): string | undefined {
    const text = asText(getOwn(this.#value, field));
    if (text === undefined) throw this.invalid(`has a "${field}" that is not a string; put it in quotes`);
    return text === "" ? undefined : text;
  }

  flag(field: string): boolean {
    const value = getOwn(this.#value, field) ?? false;
    if (typeof value !== "boolean") throw this.invalid(`has a "${field}" that is not true or false`);
    return value;
  }

  texts(field: string): string[] {
    const values = getOwn(this.#value, field) ?? [];
    if (!Array.isArray(values)) throw this.invalid(`has a "${field}" that is not a list`);
    return values.map((value: JsonValue) => {
      const text = asText(value);
      if (text === undefined) throw this.invalid(`has a "${field}" that holds something else than strings`);
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
      if (!isJsonObject(value)) throw this.invalid(`has a "${field}" that holds something else than objects`);
      return new KubeconfigEntry(value, { file: this.file, what: `an entry of "${field}" of ${this.#what}` });
    });
  }

  fields(): readonly string[] {
    return Object.keys(this.#value);
  }

  /** A path in a kubeconfig starts from its folder. */
  path(field: string): string | undefined {
    const path = this.text(field);
    return path === undefined ? undefined : isAbsolute(path) ? path : join(resolve(dirname(this.file)), path);
  }

  /** `<field>-data` holds base64, `<field>` a path; the data wins. */
  async pem(field: string): Promise<{ readonly text: string; readonly file?: string } | undefined> {
    const data = this.text(`${field}-data`);
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

/** YAML guesses the type of what is not quoted, and kubectl takes a token of digits as well; undefined: no scalar, or one that changed. */
function asText(value: JsonValue | undefined): string | undefined {
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
