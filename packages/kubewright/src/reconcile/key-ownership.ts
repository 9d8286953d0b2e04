/** The right to work on one key, until `end` is called. */
export interface KeyTurn {
  /** Aborts when the key moves to another replica: the run should return soon. */
  readonly signal: AbortSignal;
  /** Ends the turn. Must be called. */
  end(): void;
}

/** With sharding: which keys this replica reconciles. */
export interface KeyOwnership {
  /** Whether this replica owns the key now. */
  owns(key: string): boolean;
  /** Starts a turn on a key; undefined when another replica owns it. */
  enter(key: string): KeyTurn | undefined;
  /** Calls `listener` when this replica gains keys. Returns a function that unsubscribes. */
  onGained(listener: (isGained: (key: string) => boolean) => void): () => void;
}
