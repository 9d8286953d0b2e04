import { OperatorError } from "@kubewright/core/errors";

/** The proxies from `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. */
export interface EnvironmentProxy {
  readonly httpsProxy?: string;
  readonly httpProxy?: string;
  readonly noProxy?: string;
}

/** Reads the environment as Go does: the upper-case name wins, and `HTTP_PROXY` is ignored under CGI. */
export function environmentProxyOf(
  environment: Readonly<Record<string, string | undefined>>,
): EnvironmentProxy | undefined {
  const read = (name: string): string => environment[name] || environment[name.toLowerCase()] || "";
  const httpsProxy = read("HTTPS_PROXY");
  const httpProxy = environment["REQUEST_METHOD"] ? "" : read("HTTP_PROXY");
  const noProxy = read("NO_PROXY");
  if (httpsProxy === "" && httpProxy === "") return undefined;
  return {
    ...(httpsProxy !== "" && { httpsProxy }),
    ...(httpProxy !== "" && { httpProxy }),
    ...(noProxy !== "" && { noProxy }),
  };
}

/** Parses a proxy's URL. Throws CONFIG_INVALID for a scheme other than http, https or socks5. */
export function parseProxyUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch (cause) {
    throw new OperatorError("CONFIG_INVALID", `Cannot use the proxy "${withoutPassword(text)}": it is not a URL`, {
      cause,
    });
  }
  if (!["http:", "https:", "socks5:"].includes(url.protocol) || url.hostname === "") {
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot use the proxy "${withoutPassword(text)}": its scheme must be http, https or socks5`,
    );
  }
  return url;
}

function withoutPassword(text: string): string {
  return text.replace(/\/\/[^@/]*@/, "//***@");
}
