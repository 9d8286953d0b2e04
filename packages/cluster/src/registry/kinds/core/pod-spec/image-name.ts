const component = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
const label = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
const host = `(?:${label}(?:\\.${label})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const reference = new RegExp(
  `^(${host}/${component}(?:/${component})*)(?::([\\w][\\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128}))?$`,
);

/** The tag of an image: `latest` if it has neither tag nor digest, empty if it has only a digest or is invalid. */
export function imageTag(image: string): string {
  if (/^[a-f0-9]{64}$/.test(image)) return "";
  const slash = image.indexOf("/");
  const first = image.slice(0, Math.max(slash, 0));
  const hasHost = slash > 0 && (first === "localhost" || /[.:]/.test(first) || first !== first.toLowerCase());
  const rest = hasHost ? image.slice(slash + 1) : slash < 0 ? `library/${image}` : image;
  const path = rest.split(":", 1)[0] ?? "";
  if (path !== path.toLowerCase()) return "";
  const found = reference.exec(`${hasHost ? first : "docker.io"}/${rest}`);
  if (found === null || (found[1]?.length ?? 0) > 255) return "";
  return found[2] ?? (found[3] === undefined ? "latest" : "");
}
