import type { FastifyInstance } from 'fastify'
import { quoteUnsafeIntegers } from '../ingest/lossless-json.js'
import { parseJsonBody } from './json-parser.js'

const JSON_TYPE = /^application\/(?:[a-z0-9.-]+\+)?json(?:;|$)/i
/**
 * Reads the JSON bodies of questions so that integers beyond 2^53 (nanoseconds) keep their digits, as texts. Call
 * it within a scope of its own.
 */
export function readQuestionBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(JSON_TYPE, { parseAs: 'buffer' }, (_req, body: Buffer, done) => {
    try {
      done(null, parseJsonBody(quoteUnsafeIntegers(body)))
    } catch (error) {
      done(error as Error)
    }
  })
}
