/** Deep imports of undici: its index also loads fetch, WebSockets and caches, which takes three times as long. */
declare module "undici/lib/dispatcher/agent.js" {
  import { Agent } from "undici";
  export = Agent;
}
declare module "undici/lib/core/connect.js" {
  import { buildConnector } from "undici";
  export = buildConnector;
}
