import { formatKey, type ObjectKey } from "@kubewright/core/identity";
import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import type { Schema } from "@kubewright/core/schema";
import { type AnyKind, type Condition, isResource, versionSchemas } from "../definition/index.js";
import { type FieldChange, fieldChanges } from "./field-changes.js";
import type { OpenWrites } from "./open-writes.js";
import type { ConditionState, ConditionTransition, LoggedLine, RecordedRead, RecordedWrite } from "./recorded-run.js";

const maxWrites = 20;
const maxReads = 20;
const maxLogs = 20;

type Writable<T> = { -readonly [Field in keyof T]: T[Field] };

/** What one run reads and writes, while it runs. Created with the first of them: most runs of a settled object do neither. */
export class RunRecording {
  readonly writes: Writable<RecordedWrite>[] = [];
  readonly reads: RecordedRead[] = [];
  readonly logs: LoggedLine[] = [];
  status: readonly FieldChange[] = [];
  readonly conditions: Record<string, ConditionTransition> = {};
  isTruncated = false;
  readonly #forgets: (() => void)[] = [];
  #isClosed = false;

  /** A write is about to be sent; `before` is the object as the cache has it. */
  write(
    open: OpenWrites,
    where: { readonly kind: AnyKind; readonly key: ObjectKey; readonly verb: string },
    before: object | undefined,
  ): void {
    if (this.writes.length >= maxWrites) {
      this.isTruncated = true;
      return;
    }
    const { kind, key, verb } = where;
    const write: Writable<RecordedWrite> = {
      verb,
      kind: kind.id,
      key: formatKey(key),
      result: "failed",
      changes: [],
    };
    this.writes.push(write);
    const forget = open.add(kind, key, (after) => {
      if (after === undefined) write.result = "deleted";
      else if (before === undefined) write.result = verb === "apply" || verb === "create" ? "created" : "sent";
      else {
        write.changes = changesOf(kind, before as JsonObject, after as JsonObject);
        write.result = write.changes.length === 0 ? "unchanged" : "changed";
      }
    });
    this.#forgets.push(forget);
  }

  /** The run depends on something in the cache. */
  read(kind: AnyKind, what: string): void {
    if (this.reads.some((read) => read.kind === kind.id && read.what === what)) return;
    if (this.reads.length < maxReads) this.reads.push({ kind: kind.id, what });
    else this.isTruncated = true;
  }

  /** The run logged a line. The first ones are kept; a later warning or error replaces the last of them. Ignored after the end of the run. */
  log(line: LoggedLine): void {
    if (this.#isClosed) return;
    if (this.logs.length < maxLogs) this.logs.push(line);
    else {
      this.isTruncated = true;
      if (line.level === "error" || line.level === "warn") this.logs[maxLogs - 1] = line;
    }
  }

  /** The status was written. */
  statusWritten(kind: AnyKind, before: JsonObject, after: JsonObject): void {
    const { conditions: old, observedGeneration: _, ...fields } = before;
    const { conditions: next, observedGeneration: __, ...nextFields } = after;
    const changes = fieldChanges(fields as JsonObject, nextFields as JsonObject, {
      path: ".status",
      values: true,
      schema: schemaOf(kind)?.properties?.["status"],
    });
    this.status = [...this.status, ...changes].slice(-maxWrites);
    for (const [type, transition] of transitions(conditionsIn(old), conditionsIn(next))) {
      const first = this.conditions[type]?.from ?? (type in this.conditions ? undefined : transition.from);
      this.conditions[type] = {
        ...(first !== undefined && { from: first }),
        ...(transition.to !== undefined && { to: transition.to }),
      };
    }
  }

  /** An estimate of its memory. */
  get bytes(): number {
    const { writes, reads, logs, status, conditions } = this;
    return 200 + sizeOf(writes) + sizeOf(reads) + sizeOf(logs) + sizeOf(status) + sizeOf(conditions);
  }

  /** The run has ended: responses that arrive later are ignored. */
  close(): void {
    this.#isClosed = true;
    // They hold the objects.
    for (const forget of this.#forgets.splice(0)) forget();
  }
}

/** What a write changed. Values of Secrets are never recorded. */
function changesOf(kind: AnyKind, before: JsonObject, after: JsonObject): readonly FieldChange[] {
  try {
    const isSecret = kind.kind === "Secret" && kind.group === "";
    return fieldChanges(before, after, { values: !isSecret, schema: schemaOf(kind) });
  } catch {
    // The cached object has invalid JSON in a field that nothing has read so far.
    return [];
  }
}

function schemaOf(kind: AnyKind): Schema | undefined {
  return isResource(kind) ? versionSchemas(kind.definition).get(kind.version) : undefined;
}

function transitions(before: ReadonlyMap<string, ConditionState>, after: ReadonlyMap<string, ConditionState>) {
  const types = new Set([...before.keys(), ...after.keys()]);
  const found: [string, ConditionTransition][] = [];
  for (const type of types) {
    const [from, to] = [before.get(type), after.get(type)];
    if (from?.status === to?.status && from?.reason === to?.reason) continue;
    found.push([type, { ...(from && { from }), ...(to && { to }) }]);
  }
  return found;
}

function conditionsIn(value: JsonValue | undefined): ReadonlyMap<string, ConditionState> {
  const found = new Map<string, ConditionState>();
  for (const item of Array.isArray(value) ? value : []) {
    if (!isJsonObject(item)) continue;
    const { type, status, reason } = item as unknown as Condition;
    if (typeof type === "string") found.set(type, { status, reason });
  }
  return found;
}

/** About the memory of a JSON value: strings by their length, 16 bytes per field, 32 per object. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return 16 + value.length;
  if (typeof value !== "object" || value === null) return 8;
  let bytes = 32;
  for (const field of Object.values(value)) bytes += 16 + sizeOf(field);
  return bytes;
}
