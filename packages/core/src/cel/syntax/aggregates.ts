import type { Expr, MapEntry, StructField } from "./expr.js";
import type { TokenKind } from "./lexer.js";
import { expecting, expectingOneOf } from "./syntax-issue.js";
import type { TokenCursor } from "./token-cursor.js";

/** What reads the elements of lists, maps and objects. */
export interface ElementReader {
  readonly cursor: TokenCursor;
  readonly optionalSyntax: boolean;
  expr(): Expr;
  /** An expression at a place where tokens of `others` would do as well. */
  exprOr(others: readonly TokenKind[]): Expr;
}

export function readList(reader: ElementReader): Expr {
  const { cursor } = reader;
  const { offset } = cursor.next();
  const optional = new Set<number>();
  const elements = cursor.nested("]", () => {
    const list: Expr[] = [];
    while (cursor.token.kind !== "]") {
      if (list.length === 0 && cursor.token.kind === ",") break;
      if (isOptional(reader)) optional.add(list.length);
      list.push(list.length === 0 ? reader.exprOr(["]", ",", "?"]) : reader.expr());
      if (!cursor.comma("]")) break;
      if (cursor.token.kind === ",") throw expecting("]", cursor.token, cursor.after);
    }
    cursor.take(",");
    return list;
  });
  return { kind: "list", elements, optional, offset };
}

export function readMap(reader: ElementReader): Expr {
  const { cursor } = reader;
  const { offset } = cursor.next();
  const entries = cursor.nested("}", () => {
    const list: MapEntry[] = [];
    while (cursor.token.kind !== "}") {
      if (list.length === 0 && cursor.token.kind === ",") break;
      const optional = isOptional(reader);
      const key = list.length === 0 ? reader.exprOr(["}", ",", "?"]) : reader.expr();
      const colon = cursor.colon();
      list.push({ key, value: reader.expr(), optional, offset: colon });
      if (!cursor.comma("}")) break;
      if (cursor.token.kind === ",") throw expecting("}", cursor.token, cursor.after);
    }
    cursor.take(",");
    return list;
  });
  return { kind: "map", entries, offset };
}

export function readStruct(reader: ElementReader, typeName: string): Expr {
  const { cursor } = reader;
  const { offset } = cursor.next();
  const fields = cursor.nested("}", () => {
    const list: StructField[] = [];
    while (cursor.token.kind !== "}") {
      if (list.length === 0 && cursor.token.kind === "," && cursor.after.kind === "}") break;
      const optional = isOptional(reader);
      if (cursor.token.kind !== "IDENTIFIER" && cursor.token.kind !== "ESC_IDENTIFIER") {
        throw expectingOneOf(["}", ",", "?", "IDENTIFIER", "ESC_IDENTIFIER"], cursor.token, cursor.after);
      }
      const name = cursor.fieldName("");
      const colon = cursor.colon();
      list.push({ name: name.text, value: reader.expr(), optional, offset: colon });
      if (!cursor.comma("}")) break;
    }
    cursor.take(",");
    return list;
  });
  return { kind: "struct", typeName, fields, offset };
}

function isOptional({ cursor, optionalSyntax }: ElementReader): boolean {
  const { offset } = cursor.token;
  if (!cursor.take("?")) return false;
  if (!optionalSyntax) cursor.problem(offset, "unsupported syntax '?'");
  return true;
}
