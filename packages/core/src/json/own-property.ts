/** The value of an own property; undefined if there is none. Safe for inherited keys such as `constructor`. */
export function getOwn<V>(object: { readonly [key: string]: V }, key: string): V | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets an own property. As in JSON.parse, `__proto__` is an ordinary key and does not change the prototype. */
export function setOwn<V>(object: { [key: string]: V }, key: string, value: V): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}
