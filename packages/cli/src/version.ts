/** The version of this package; a release sets it. */
export const cliVersion = "0.1.0";
