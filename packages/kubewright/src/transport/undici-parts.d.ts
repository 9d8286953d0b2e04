/** The parts of undici that are used, each by its own file: its index loads fetch, WebSockets and caches too, which takes three times as long. */
declare module "undici/lib/dispatcher/agent.js" {
  import { Agent } from "undici";
  export = Agent;
}
declare module "undici/lib/core/connect.js" {
  import { buildConnector } from "undici";
  export = buildConnector;
}
