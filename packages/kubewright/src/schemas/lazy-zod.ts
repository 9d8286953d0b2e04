/**
 * zod, loaded on first use: a process that only uses the client does not pay for it.
 *
 * It stands behind the name `#zod` (`imports` of package.json). Types, and bundlers, which cannot follow a `require`, find zod itself there.
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

/** The module that `import "zod"` gives, not zod's CommonJS form: there must be one zod in a process. */
function zod(): object {
  loaded ??= (createRequire(import.meta.url)(fileURLToPath(import.meta.resolve("zod"))) as { readonly z: object }).z;
  return loaded;
}
