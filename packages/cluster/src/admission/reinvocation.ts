/**
 * Whether the mutating plugins run again. kube-apiserver runs all of them once more if a webhook or policy changed the object, so that those with
 * the reinvocationPolicy IfNeeded see it.
 */
export class Reinvocation {
  /** Whether the plugins run for the second time. */
  isReinvocation = false;
  #isRequired = false;
  readonly #states = new Map<string, unknown>();

  /** Runs all mutating plugins once more after this run. Has no effect in the second run. */
  require(): void {
    this.#isRequired = true;
  }

  /** Whether a second run must follow. */
  get isRequired(): boolean {
    return this.#isRequired && !this.isReinvocation;
  }

  /** What a plugin remembers from its first run, by its name; created on first use. */
  state<T>(plugin: string, create: () => T): T {
    const known = this.#states.get(plugin);
    if (known !== undefined) return known as T;
    const state = create();
    this.#states.set(plugin, state);
    return state;
  }
}
