import type { ApolloServerOptions, ApolloServerPlugin } from '@apollo/server'
import { ApolloServerPluginCacheControlDisabled, ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled'
import type { FastifyBaseLogger } from 'fastify'
import type { FormattedExecutionResult, GraphQLSchema } from 'graphql'
import type { Context } from '../../resolvers/context.js'
import type { EventLoopSlices } from '../threads/event-loop-slices.js'
import { isGatewayError } from '../domain/errors.js'
import { STATUS } from './error-reply.js'
import { formatError, fromGraphql, toGraphqlError } from './graphql-errors.js'
import { jsonInSlices } from './json-in-slices.js'
import { logFault } from './log-fault.js'

const SERVER_FAULT = 500

/** Logs our own faults with their cause, and gives clients the request id by which to find them. */
function faultPlugin(log: FastifyBaseLogger): ApolloServerPlugin<Context> {
  return {
    requestDidStart: async () => ({
      didEncounterErrors: async ({ errors, contextValue }) => {
        for (const thrown of errors) {
          const error = fromGraphql(thrown)
          if (STATUS[error.code] < SERVER_FAULT || contextValue.signal.aborted) continue
          logFault(log, { request_id: contextValue.requestId, path: thrown.path }, error, 'GraphQL field failed')
        }
      },
      willSendResponse: async ({ response, contextValue }) => {
        if (response.body.kind !== 'single') return
        const { singleResult } = response.body
        singleResult.errors = singleResult.errors?.map(error =>
          error.extensions?.['code'] === 'internal'
            ? { ...error, extensions: { ...error.extensions, requestId: contextValue.requestId } }
            : error
        )
      }
    })
  }
}

/** The response as JSON; one that is too large is an error without data. */
async function toJson(result: FormattedExecutionResult, slices: EventLoopSlices, maxBytes: number): Promise<string> {
  try {
    return `${await jsonInSlices(result, slices, maxBytes)}\n`
  } catch (error) {
    if (!isGatewayError(error)) throw error
    return `${JSON.stringify({ data: null, errors: [toGraphqlError(error)] })}\n`
  }
}

/** Apollo without anything that stores, guesses or calls out: limits and persisted operations are ours. */
export function apolloOptions(
  schema: GraphQLSchema,
  introspection: boolean,
  log: FastifyBaseLogger,
  { slices, maxResponseBytes }: { readonly slices: EventLoopSlices; readonly maxResponseBytes: number }
): ApolloServerOptions<Context> {
  return {
    schema,
    introspection,
    hideSchemaDetailsFromClientErrors: !introspection,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    allowBatchedHttpRequests: false,
    csrfPrevention: true,
    persistedQueries: false,
    nodeEnv: 'production',
    logger: log,
    formatError,
    stringifyResult: async result => toJson(result, slices, maxResponseBytes),
    plugins: [ApolloServerPluginLandingPageDisabled(), ApolloServerPluginCacheControlDisabled(), faultPlugin(log)]
  }
}
