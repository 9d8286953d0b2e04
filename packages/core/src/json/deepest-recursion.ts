/**
 * Below this depth, walks over JSON values continue from a list instead of the call stack: a server accepts objects of 10,000 levels, and each
 * call costs stack. Hardly any object is as deep, so that the list costs nothing.
 */
export const deepestRecursion = 200;
