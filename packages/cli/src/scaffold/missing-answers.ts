import type { Project } from "./project.js";
import { type NameUse, nameProblem } from "./scaffold-names.js";

/** A value that the user may be asked for. */
export interface Question {
  readonly use: NameUse;
  /** From the command line; undefined: ask, or take the default. */
  readonly given: string | undefined;
  readonly byDefault: string;
  readonly message: string;
}

/**
 * The values of the questions: those given, those that the user types where a terminal is attached, and the defaults otherwise. Never asks without a
 * terminal.
 *
 * Resolves with undefined when the user cancels.
 */
export async function answersTo<Name extends string>(
  questions: Readonly<Record<Name, Question>>,
  isInteractive: boolean,
): Promise<Readonly<Record<Name, string>> | undefined> {
  const values: Partial<Record<Name, string>> = {};
  for (const [name, { given, byDefault, message, use }] of Object.entries(questions) as [Name, Question][]) {
    if (given !== undefined || !isInteractive) {
      values[name] = given ?? byDefault;
      continue;
    }
    // Loaded only where it is used.
    const { isCancel, text } = await import("@clack/prompts");
    const typed = await text({
      message,
      placeholder: byDefault,
      defaultValue: byDefault,
      validate: (value) => (value === undefined || value === "" ? undefined : nameProblem(use, value)),
    });
    if (isCancel(typed)) return undefined;
    values[name] = typed;
  }
  return values as Record<Name, string>;
}

/** A kind of a project, and its group. */
export interface ChosenKind {
  readonly kind: string;
  readonly group?: string;
}

/** Asks for one of the kinds of a project. Resolves with undefined when the user cancels. */
export async function chooseKind({ resources }: Project, message: string): Promise<ChosenKind | undefined> {
  const { isCancel, select } = await import("@clack/prompts");
  const options = resources.map(({ kind, group }) => ({ value: { kind, group }, label: kind, hint: group }));
  const chosen = await select({ message, options });
  return isCancel(chosen) ? undefined : chosen;
}

/** Asks for one or more of these, each with its description. Resolves with undefined when the user cancels. */
export async function chooseSome<Name extends string>(
  message: string,
  descriptions: Readonly<Record<Name, string>>,
): Promise<readonly Name[] | undefined> {
  const { isCancel, multiselect } = await import("@clack/prompts");
  const options = (Object.keys(descriptions) as Name[]).map((value) => ({
    value,
    label: value,
    hint: descriptions[value],
  }));
  const chosen = await multiselect<string>({ message, options, required: true });
  return isCancel(chosen) ? undefined : (chosen as Name[]);
}
