/** The right to work on one key, until `end` is called. */
export interface KeyTurn {
  /** Aborts when the key goes to another process: the run should end soon. */
  readonly signal: AbortSignal;
  /** The run has ended. Must be called. */
  end(): void;
}

/** Which keys this process works on, where several processes share the objects of a controller. */
export interface KeyOwnership {
  /** Whether the key is this process' now. */
  owns(key: string): boolean;
  /** Begins to work on a key; undefined when it is not this process'. */
  enter(key: string): KeyTurn | undefined;
  /** `listener` is told when keys have become this process'. Gives a function that ends it. */
  onGained(listener: (isGained: (key: string) => boolean) => void): () => void;
}
