/**
 * A webhook whose responses are scripted by its URL, for cases and for the fuzzer: both servers call it.
 *
 * @module
 */
export { type AdmissionScript, admissionUrl, type ConversionScript, conversionUrl } from "./script.js";
export { type ScriptedServer, scriptedServer, scriptedTransport } from "./scripted-server.js";
