/**
 * The gateway operator: aggregates Routes and the Secrets that they name into one configuration, by tracked reads alone.
 *
 * @module
 */
import { operator } from "kubewright";
import { gatewayController, routeController } from "./gateway-controller.js";

export { Gateway, Route } from "./gateway.js";
export { gatewayController, routeController };

/** The operator: resources, controllers and permissions. Importing it starts nothing. */
export const gatewayOperator = operator({
  name: "gateway-operator",
  controllers: [gatewayController, routeController],
});
