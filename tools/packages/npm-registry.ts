/** A small npm registry on loopback: it holds the packages that are published to it, and passes on requests for all others. */
import { execFileSync } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** The document that `npm publish` sends for a package. */
interface Publication {
  readonly name: string;
  readonly "dist-tags": Readonly<Record<string, string>>;
  readonly versions: Readonly<Record<string, { readonly dist: { readonly tarball: string } }>>;
  readonly _attachments: Readonly<Record<string, { readonly data: string }>>;
}

/** Larger than any of our tarballs in base64. */
const maxBytes = 32 * 1024 * 1024;

/** A registry that serves until it is closed. */
export class NpmRegistry implements AsyncDisposable {
  readonly #upstream: string;
  readonly #packages = new Map<string, Publication>();
  readonly #server = createServer((request, response) => {
    this.#handle(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end(String(error));
    });
  });

  private constructor(upstream: string) {
    this.#upstream = upstream;
  }

  /** Starts a registry on a free port. The registry that npm is set up for serves the packages that it does not hold. */
  static async start(): Promise<NpmRegistry> {
    const upstream = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
    const registry = new NpmRegistry(upstream);
    await new Promise<void>((resolve) => registry.#server.listen(0, "127.0.0.1", resolve));
    return registry;
  }

  /** Ends with a slash, as npm writes it. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** What was published. */
  get names(): string[] {
    return [...this.#packages.keys()];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = "/", headers } = request;
    const path = decodeURIComponent(url.slice(1).replace(/\?.*/, ""));
    if (method === "PUT") {
      const publication = JSON.parse(await bodyOf(request)) as Publication;
      this.#packages.set(publication.name, publication);
      response.writeHead(201, { "content-type": "application/json" }).end('{"ok":true}');
      return;
    }
    const [name = "", file] = path.split("/-/");
    const own = this.#packages.get(name);
    if (own === undefined) {
      await this.#passOn(url, headers.accept, response);
      return;
    }
    if (file === undefined) {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(this.#document(own)));
      return;
    }
    const [attachment] = Object.values(own._attachments);
    response.writeHead(200, { "content-type": "application/octet-stream" });
    response.end(Buffer.from(attachment?.data ?? "", "base64"));
  }

  #document({ _attachments: _, versions, ...rest }: Publication): object {
    return {
      ...rest,
      versions: Object.fromEntries(
        Object.entries(versions).map(([version, manifest]) => {
          const tarball = `${this.url}${rest.name}/-/${rest.name.replace(/.*\//, "")}-${version}.tgz`;
          return [version, { ...manifest, dist: { ...manifest.dist, tarball } }];
        }),
      ),
    };
  }

  async #passOn(url: string, accept: string | undefined, response: ServerResponse): Promise<void> {
    const answer = await fetch(new URL(url.slice(1), this.#upstream), { headers: accept ? { accept } : {} });
    const type = answer.headers.get("content-type");
    response.writeHead(answer.status, type === null ? {} : { "content-type": type });
    if (answer.body) await pipeline(Readable.fromWeb(answer.body as never), response);
    else response.end();
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) {
    body += String(chunk);
    if (body.length > maxBytes) throw new Error(`the request has more than ${maxBytes} bytes`);
  }
  return body;
}
