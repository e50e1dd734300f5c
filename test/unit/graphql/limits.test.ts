import { beforeAll, describe, expect, it } from '@jest/globals'
import { getIntrospectionQuery, type GraphQLSchema, Kind, parse, visit } from 'graphql'
import { createSchema } from '../../../schema/build.js'
import { isGatewayError } from '../../../src/domain/errors.js'
import { GraphqlGate } from '../../../src/http/graphql-gate.js'
import { checkLimits, DEFAULT_GRAPHQL_LIMITS as LIMITS } from '../../../src/http/graphql-limits.js'
import { SelectionMeter } from '../../../src/http/graphql-measure.js'
import { loadOperations } from '../../../src/http/graphql-operations.js'
import { SANDBOX_EXAMPLES } from '../../../src/http/sandbox-examples.js'
import { HOSTILE_QUERIES } from '../../support/hostile-queries.js'

let schema: GraphQLSchema
beforeAll(() => {
  schema = createSchema()
})

function refusal(query: string, variables?: Record<string, unknown>): string {
  try {
    new GraphqlGate(schema, LIMITS, new Map()).admit({ query, variables })
  } catch (error) {
    if (isGatewayError(error, 'invalid_query')) return error.message
    throw error
  }
  return 'admitted'
}

function costOf(query: string, variables: Record<string, unknown> = {}): number {
  const [measured] = checkLimits(schema, parse(query), variables, { ...LIMITS, maxCost: Number.MAX_SAFE_INTEGER })
  return measured!.base
}

describe('limits of GraphQL', () => {
  it.each(HOSTILE_QUERIES.map(hostile => [hostile.name, hostile] as const))(
    'refuse %s',
    (_name, { query, refusal: expected }) => {
      expect(refusal(query)).toMatch(expected)
    }
  )

  it('look at every node of a fragment bomb once', () => {
    const bomb = HOSTILE_QUERIES.find(({ name }) => name === 'a fragment bomb')!.query
    const document = parse(bomb)
    let selections = 0
    visit(document, { Field: () => void selections++, FragmentSpread: () => void selections++ })
    const fragments = document.definitions.filter(node => node.kind === Kind.FRAGMENT_DEFINITION)
    const meter = new SelectionMeter(schema, fragments, {})
    const operation = document.definitions.find(node => node.kind === Kind.OPERATION_DEFINITION)!
    expect(meter.operation(operation).fields).toBe(1e9)
    expect(meter.visited).toBeLessThanOrEqual(selections)
  })

  it('admit introspection, every persisted operation and every example of the sandbox', () => {
    const queries = [getIntrospectionQuery(), ...loadOperations().values(), ...SANDBOX_EXAMPLES.map(({ query }) => query)]
    expect(queries.length).toBeGreaterThan(8)
    const gate = new GraphqlGate(schema, LIMITS, new Map())
    expect(() => queries.forEach(query => gate.admitSubscription({ query }))).not.toThrow()
  })

  it.each([
    ['depth', LIMITS.maxDepth, (n: number) => `${'{ a '.repeat(n)}${'}'.repeat(n)}`],
    [
      'aliases',
      LIMITS.maxAliases,
      (n: number) => `{ namespace { ${Array.from({ length: n }, (_, i) => `b${i}: id`).join(' ')} } }`
    ],
    ['root fields', LIMITS.maxRootFields, (n: number) => `{ ${'__typename '.repeat(n)} }`],
    ['fields', LIMITS.maxFields, (n: number) => `{ namespace { ${'id '.repeat(n - 1)} } }`],
    ['directives', LIMITS.maxDirectives, (n: number) => `{ __typename ${'@skip(if: 0) '.repeat(n)} }`],
    ['operations', LIMITS.maxOperations, (n: number) => 'query A { __typename }'.repeat(n)]
  ])('hold exactly at the bound of %s', (_name, bound, make) => {
    expect(refusal(make(bound))).toBe('admitted')
    expect(refusal(make(bound + 1))).not.toBe('admitted')
  })

  it('count the values of variables at any depth', () => {
    const query = 'query Q($a: [String!]) { __typename }'
    expect(refusal(query, { a: Array.from({ length: LIMITS.maxVariableValues - 1 }, () => 'x') })).toBe('admitted')
    expect(refusal(query, { a: [Array.from({ length: LIMITS.maxVariableValues }, () => 'x')] })).toMatch(/values in variables/)
  })
})

describe('costs of GraphQL', () => {
  it('multiply what is selected of a row by the rows that are requested', () => {
    const logs = (first: string) =>
      `query Q($n: Int = 7) { logs(range: { from: "now-1h" }, first: ${first}) { nodes { id message } } }`
    const perRow = costOf(logs('101')) - costOf(logs('100'))
    expect(perRow).toBeGreaterThanOrEqual(2)
    expect(costOf(logs('$n'))).toBe(costOf(logs('7')))
    expect(costOf(logs('$n'), { n: 100 })).toBe(costOf(logs('100')))
    expect(costOf(logs('null'))).toBe(costOf(logs('100')))
  })

  it('find the same cost through fragments and aliases', () => {
    const plain = '{ logs(range: { from: "now-1h" }, first: 50) { nodes { id message } } }'
    const spread = `{ x: logs(range: { from: "now-1h" }, first: 50) { ...C } } fragment C on LogConnection { nodes { ... on LogRecord { ...R } } } fragment R on LogRecord { id message }`
    expect(costOf(spread)).toBe(costOf(plain))
  })

  it('weigh lines, series and points of a metric chart', () => {
    const query =
      'query Q($q: [MetricQuery!]!, $p: Int) { metricRange(range: { from: "now-1h" }, queries: $q, maxPoints: $p) { series { values } } }'
    const one = costOf(query, { q: [{ metric: 'a' }] })
    expect(costOf(query, { q: [{ metric: 'a' }, { metric: 'b' }] })).toBeGreaterThan(one + 500)
    expect(costOf(query, { q: [{ metric: 'a', limit: 100 }] })).toBeGreaterThan(one)
    expect(refusal(query, { q: Array.from({ length: 20 }, () => ({ metric: 'a' })), p: 11_000 })).toMatch(/cost/)
  })

  it.each([
    ['metricRange', 'queries: [{ metric: "a" }]', '{ series { values } }'],
    ['promql', 'query: "a"', '{ ... on PromMatrix { series { values } } }']
  ])('weigh the points that a step makes of the range of %s', (field, requested, selection) => {
    const chart = (step: string): string =>
      `${field}(${requested}, range: { from: "now-3h" }, maxPoints: 1, ${step}) ${selection}`
    const [fine, coarse] = [costOf(`{ ${chart('step: "1s"')} }`), costOf(`{ ${chart('step: "10m"')} }`)]
    expect(fine - coarse).toBe((50 * (10_800 - 18)) / 10)
    expect(refusal(`{ a: ${chart('step: "1s"')} b: ${chart('step: "1s"')} }`)).toMatch(/cost/)
    expect(refusal(`{ ${chart('step: "1ms"')} }`)).toBe('admitted')
  })

  it('weigh what is read at once for all fields: queries of PromQL and regexes', () => {
    const long = JSON.stringify('x'.repeat(20_000))
    expect(refusal(`{ promql(query: ${long}) { __typename } }`)).toBe('admitted')
    expect(refusal(`{ ${['a', 'b', 'c'].map(alias => `${alias}: promql(query: ${long}) { __typename }`).join(' ')} }`)).toMatch(
      /cost/
    )
    const match = (op: string, value: string, count: number): object[] =>
      Array.from({ length: count }, () => ({ name: 'a', op, value }))
    const lines =
      'query Q($m: [LabelMatcher!]) { metricRange(range: { from: "now-1h" }, queries: [{ metric: "a", match: $m }]) { omitted } }'
    const labels = 'query Q($m: [LabelMatcher!]) { metricLabels(range: { from: "now-1h" }, match: $m) { name } }'
    for (const query of [lines, labels]) {
      expect(refusal(query, { m: match('EQ', 'x{1000}', 30) })).toBe('admitted')
      expect(refusal(query, { m: match('REGEX', 'x{1000}', 10) })).toBe('admitted')
      expect(refusal(query, { m: match('REGEX', 'x{1000}', 30) })).toMatch(/cost/)
      expect(refusal(query, { m: match('NOT_REGEX', '(?i)[B-\\x{1e942}]', 10) })).toMatch(/cost/)
    }
  })

  it('weigh a query of PromQL as a line of a chart, and at one time as one point of it', () => {
    const [selection, range] = ['{ __typename }', 'range: { from: "now-1h" }, maxPoints: 1000']
    const drawn = costOf(`{ promql(query: "a", ${range}) ${selection} }`)
    // Each character counts two.
    expect(drawn).toBe(costOf(`{ metricRange(queries: [{ metric: "a" }], ${range}) ${selection} }`) + 2)
    const atOneTime = costOf(`{ promql(query: "a") ${selection} }`)
    expect(drawn - atOneTime).toBe((50 * (1_000 - 1)) / 10)
  })

  it('admit a page of the largest size with all fields of a log', () => {
    const fields = 'id timestamp receivedAt message level levelText service host source traceId spanId fields tags'
    expect(refusal(`{ logs(range: { from: "now-1h" }, first: 5000) { nodes { ${fields} } pageInfo { endCursor } } }`)).toBe(
      'admitted'
    )
  })
})
