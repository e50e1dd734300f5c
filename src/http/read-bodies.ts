import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BodyReceiver } from './body-receiver.js'
import { parseJsonBody } from './json-parser.js'

const JSON_TYPE = /^application\/(?:[a-z0-9.-]+\+)?json(?:;|$)/i
/**
 * Reads the JSON bodies of queries so that integers beyond 2^53 (nanoseconds) keep their digits, as strings. Call
 * it within a scope of its own.
 */
export function readQueryBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(JSON_TYPE, async (request: FastifyRequest) =>
    parseJsonBody(await BodyReceiver.of(scope).receive(request, request.routeOptions.bodyLimit))
  )
}
