import type { LogFields, Logger } from "@kubewright/core/log";

/** Records warnings with their fields. */
export class Warnings implements Logger {
  readonly all: { readonly message: string; readonly fields: LogFields }[] = [];
  debug(): void {}
  info(): void {}
  error(): void {}
  warn(fields: LogFields, message: string): void {
    this.all.push({ message, fields });
  }
  child(): Logger {
    return this;
  }
}
