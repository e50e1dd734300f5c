import type { FastifyInstance } from 'fastify'
import { GatewayError } from '../../domain/errors.js'
import { distinctWarnings } from '../../domain/warning.js'
import type { PatternDetail, PatternList } from '../../query/patterns/pattern-list.js'
import { MAX_PATTERNS_WITH_VARIABLES, variableValues } from '../../query/patterns/pattern-variables.js'
import { trendBuckets } from '../../query/patterns/trend-buckets.js'
import type { ResultFacts } from '../../query/result.js'
import { typedRoutes } from '../json-schema.js'
import { factsJson, pageJson, wholePage } from '../read-json/facts-json.js'
import { patternJson, variablesJson } from '../read-json/pattern-json.js'
import { type ReadAccess, sendRead } from '../reader.js'
import { PATTERNS } from './log-patterns-schemas.js'
import { conditionsOfQuery } from './logs-query-requests.js'

export interface LogPatternsDeps extends ReadAccess {
  readonly patternList: PatternList
}

/** The facts of a list, with what its details and variables lack. */
export function factsOf(list: ResultFacts, details: readonly Pick<PatternDetail, 'complete' | 'warnings'>[]): ResultFacts {
  return {
    ...list,
    complete: list.complete && details.every(({ complete }) => complete),
    warnings: distinctWarnings([...list.warnings, ...details.flatMap(({ warnings }) => warnings)])
  }
}

/** Details of each pattern that a request selects. */
export interface RequestedDetails {
  readonly buckets?: number
  readonly variables?: number
  readonly limit?: number
}

/** Refuses details beyond their limits before any pattern is counted, also where no log matches. */
export function checkDetails({ buckets, variables, limit = 0 }: RequestedDetails): void {
  trendBuckets(buckets)
  variableValues(variables)
  if (variables === undefined || limit <= MAX_PATTERNS_WITH_VARIABLES) return
  const detail = `variables are read of at most ${MAX_PATTERNS_WITH_VARIABLES} patterns (limit is ${limit}); use a lower limit`
  throw new GatewayError('invalid_field', detail, { field: 'limit' })
}

/** `GET /api/v1/logs/patterns`. */
export function logPatternsRoute(app: FastifyInstance, { patternList, ...access }: LogPatternsDeps): void {
  typedRoutes(app).get('/api/v1/logs/patterns', { schema: PATTERNS }, async (req, reply) =>
    sendRead(req, reply, access, async (namespace, signal) => {
      const { start, end, limit, buckets, variables: values, compare_start: from, compare_end: to } = req.query
      checkDetails(req.query)
      const compare = from === undefined && to === undefined ? undefined : { start: from, end: to }
      const query = { start, end, limit, compare, conditions: conditionsOfQuery(req.query) }
      const result = await patternList.list(namespace, query, signal)
      const variables = await Promise.all(
        values === undefined ? [] : result.patterns.map(pattern => result.variables(pattern, values))
      )
      const details = await Promise.all(result.patterns.map(pattern => result.detail(pattern, { buckets })))
      return {
        patterns: result.patterns.map((pattern, i) => ({
          ...patternJson(pattern, details[i]!, namespace.name),
          ...(variables[i] && variablesJson(variables[i]))
        })),
        logs: result.logs,
        unassigned: result.unassigned,
        tested: result.tested,
        ...pageJson(wholePage(result.hasMore, result.limit), result.total),
        ...factsJson(factsOf(result, [...details, ...variables]))
      }
    })
  )
}
