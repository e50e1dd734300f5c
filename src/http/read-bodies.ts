import type { FastifyInstance } from 'fastify'
import { quoteUnsafeIntegers } from '../ingest/lossless-json.js'
import { parseJsonBody } from './json-parser.js'

const JSON_TYPE = /^application\/(?:[a-z0-9.-]+\+)?json(?:;|$)/i
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** The marker that a form came instead of JSON; its content is not looked at. */
export const FORM_BODY = Object.freeze({ isForm: true })

/**
 * Reads the JSON bodies of questions so that integers beyond 2^53 (nanoseconds) keep their digits, as texts. Forms are
 * only noticed. Call it within a scope of its own.
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
  scope.addContentTypeParser(FORM_TYPE, { parseAs: 'buffer' }, (_req, _body, done) => done(null, FORM_BODY))
}
