import type { EtcdMembers } from "../members/etcd-members.js";

/** What a program of the operator's image works with. */
export interface ProgramContext {
  readonly etcd: EtcdMembers;
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/** A program: returns what it reports. */
export type Program = (args: readonly string[], context: ProgramContext) => Promise<string>;
