/** One explanation of what a register's clients have seen so far. Operations are numbers, their index in the history. */
export interface Configuration {
  /** Of the register; undefined: the key does not exist. */
  readonly value: string | undefined;
  /** Operations that happened already, but have not returned yet. */
  readonly done: ReadonlySet<number>;
  /** Operations with an unknown outcome that happened already. */
  readonly spent: ReadonlySet<number>;
}

/**
 * Configurations without those that another one makes superfluous: of two that differ in `spent` alone, the smaller explains all that the larger
 * does, because an operation with an unknown outcome need not happen. Without this, n lost responses would give 2^n configurations.
 */
export class ConfigurationSet {
  readonly #byState = new Map<string, Configuration[]>();

  /** False if a configuration of the set makes this one superfluous. */
  add(configuration: Configuration): boolean {
    const state = stateOf(configuration);
    const alike = this.#byState.get(state) ?? [];
    if (alike.some(({ spent }) => isSubset(spent, configuration.spent))) return false;
    const kept = alike.filter(({ spent }) => !isSubset(configuration.spent, spent));
    this.#byState.set(state, [...kept, configuration]);
    return true;
  }

  values(): readonly Configuration[] {
    return [...this.#byState.values()].flat();
  }
}

function stateOf({ value, done }: Configuration): string {
  return `${[...done].sort((one, other) => one - other).join(" ")} ${JSON.stringify(value)}`;
}

function isSubset(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  return one.size <= other.size && [...one].every((item) => other.has(item));
}
