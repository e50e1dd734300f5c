import { Arg, Ctx, Query, Resolver } from 'type-graphql'
import { CompareInput, type CompareSideInput } from '../schema/compare.input.js'
import { type ComparedRowsType, ComparisonType, type FindingType } from '../schema/compare.type.js'
import { COST_OF_A_COMPARISON } from '../schema/cost.js'
import { GatewayError } from '../src/domain/errors.js'
import type { ComparedSide, Finding, SideFacts } from '../src/query/compare/comparison.js'
import type { Context } from './context.js'
import { toBounds, toConditions, toStats, toWindow } from './to-shared.js'

function toSide({ range, query, where }: CompareSideInput): ComparedSide {
  return { ...toBounds(range), query: query ?? undefined, filters: toConditions(where) }
}

function toFinding({ count, total, title, evidence, ...finding }: Finding): FindingType {
  const { kind, name, value, baseCount, baseTotal, effect, q } = finding
  const counts = { baseCount, baseTotal, otherCount: count, otherTotal: total }
  return { kind, name: title ?? name, value, ...counts, effect, q, evidence: evidence.query, evidenceSide: evidence.side }
}

function toRows({ window, rows }: SideFacts): ComparedRowsType {
  return { window: toWindow(window), rows }
}

/** Comparisons of two windows, or of two filters. */
@Resolver()
export class CompareResolver {
  @Query(() => ComparisonType, {
    nullable: true,
    complexity: COST_OF_A_COMPARISON,
    description: 'Finds what differs between two windows or two filters: values of fields, numbers, patterns.'
  })
  async compare(
    @Arg('input', () => CompareInput, { description: 'Both sides.' }) { signal, base, other, limit }: CompareInput,
    @Ctx() context: Context
  ): Promise<ComparisonType> {
    if (signal !== 'logs' && signal !== 'spans')
      throw new GatewayError('invalid_field', 'signal must be LOGS or SPANS', { field: 'input.signal' })
    const query = { base: toSide(base), other: toSide(other), limit: limit ?? undefined }
    const result = await context.use.comparisons[signal].compare(await context.namespace(), query, context.signal)
    const { findings, hasMore, tested, skipped } = result
    return {
      findings: findings.map(toFinding),
      ...{ hasMore, tested, skipped, base: toRows(result.base), other: toRows(result.other) },
      stats: toStats(result, signal)
    }
  }
}
