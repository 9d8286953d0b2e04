/**
 * zod, loaded on first use: a process that only uses the client does not load it.
 *
 * Imported as `#zod` (`imports` in package.json). Types, and bundlers, which cannot follow a `require`, resolve `#zod` to zod itself.
 *
 * @module
 */
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/** zod's namespace, loaded with the first access to a member. */
export const z: object = new Proxy(Object.create(null), {
  get: (_, name) => Reflect.get(zod(), name),
  has: (_, name) => Reflect.has(zod(), name),
  ownKeys: () => Reflect.ownKeys(zod()),
  getOwnPropertyDescriptor(_, name) {
    const found = Reflect.getOwnPropertyDescriptor(zod(), name);
    // Proxy invariant: a non-configurable property must exist on the target.
    return found && { ...found, configurable: true };
  },
  set: () => false,
  defineProperty: () => false,
  deleteProperty: () => false,
});

let loaded: object | undefined;

/**
 * The ES module that `import "zod"` loads, not the CommonJS one: a process must have one zod.
 *
 * tsx in a CommonJS project compiles this module to CommonJS, without `import.meta.resolve`. There the program's own zod is the CommonJS one too.
 */
function zod(): object {
  const { resolve } = import.meta as Partial<ImportMeta>;
  const file = resolve === undefined ? "zod" : fileURLToPath(import.meta.resolve("zod"));
  loaded ??= (createRequire(import.meta.url)(file) as { readonly z: object }).z;
  return loaded;
}
