import wabt from "wabt";

/** The TypeScript module that carries the WebAssembly of `text`, which is written in WebAssembly's text form in the file `name`. */
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
