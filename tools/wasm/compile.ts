import wabt from "wabt";

/** Compiles WebAssembly text format to a TypeScript module with the binary in base64. `name` is the source file, for errors. */
export async function compileWat(name: string, text: string): Promise<string> {
  const { parseWat } = await wabt();
  const module = parseWat(name, text, { simd: true });
  try {
    module.resolveNames();
    module.validate();
    const bytes = Buffer.from(module.toBinary({}).buffer).toString("base64");
    const lines = bytes.match(/.{1,110}/g) ?? [];
    return [
      `// Written by tools/wasm out of ${name}. Do not edit.`,
      "/** WebAssembly in base64. */",
      `export const wasm =\n  ${lines.map((line) => `"${line}"`).join(" +\n  ")};`,
      "",
    ].join("\n");
  } finally {
    module.destroy();
  }
}
