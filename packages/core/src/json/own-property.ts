/** The value of an object's own key; undefined where it has none. Safe for keys like `constructor` that every object inherits. */
export function getOwn<V>(object: { readonly [key: string]: V }, key: string): V | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets an own key as data; `__proto__` becomes an ordinary key, as JSON.parse makes it, and never changes the prototype. */
export function setOwn<V>(object: { [key: string]: V }, key: string, value: V): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}
