/** A value or a promise of it. Most requests complete synchronously; only asynchronous steps create promises. */
export type Eventually<T> = T | Promise<T>;

/** Continues with a value: synchronously if it is available, else once its promise resolves. */
export function andThen<T, Result>(value: Eventually<T>, next: (value: T) => Eventually<Result>): Eventually<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
