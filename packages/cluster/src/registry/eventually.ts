/** A value now, or later. Most requests are served without waiting; only what must wait makes a promise. */
export type Eventually<T> = T | Promise<T>;

/** Continues with a value: at once where it is there, else when it comes. */
export function andThen<T, Result>(value: Eventually<T>, next: (value: T) => Eventually<Result>): Eventually<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
