import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CommandStreams } from "../command-streams.js";
import type { OperatorMember, ScaffoldFile } from "../scaffold/index.js";

/** The operator file of a project with a member added; none, and a note for the user, where its markers are gone. */
export async function operatorFileWith(
  dir: string,
  member: OperatorMember,
  { err }: CommandStreams,
): Promise<ScaffoldFile[]> {
  const { withMember } = await import("../scaffold/index.js");
  const before = await readFile(join(dir, "src", "operator.ts"), "utf8").catch(() => undefined);
  const text = before === undefined ? undefined : withMember(before, member);
  if (text !== undefined) return [{ path: "src/operator.ts", text, isUpdate: true }];
  err.write(`note: src/operator.ts has no scaffold markers; add ${member.variable} to its ${member.part}\n`);
  return [];
}
