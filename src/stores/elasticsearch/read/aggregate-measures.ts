import type { AggregateRequest, Measure } from '../../../domain/aggregate.js'
import { GatewayError } from '../../../domain/errors.js'
import type { Field } from '../../../domain/filter.js'
import type { DocumentKind } from '../document/field-names.js'
import {
  BIN_ERROR,
  middleOfBin,
  numbersScript,
  numbersUpToScript,
  type ScriptField,
  scriptNumbers,
  scriptStrings,
  stringsScript,
  type Tally,
  tallyAggregation
} from './aggregate-scripts.js'
import { interpolated } from './duration-percentiles.js'
import { fieldTarget } from './field-target.js'
import { groupTerms, termsAggregation } from './group-terms.js'
import type { Counted } from './key-groups.js'
import type { Query } from './query.js'
import type { AggregationResult, Aggregations } from './search-engine.js'
import { hasValue } from './term-condition.js'

/** Up to so many different values the engine's estimate is nearly exact; it takes 8 bytes for each in every bucket. */
const DISTINCT_THRESHOLD = 3_000
/** What is declared for it: six standard deviations of 2^14 registers. */
const DISTINCT_ERROR = 0.05

/** What a search computes in each bucket, and within which bounds. */
export interface MeasurePlan extends Pick<AggregateRequest, 'exact'> {
  readonly kind: DocumentKind
  readonly measures: readonly Measure[]
  /** Different values that are counted in each bucket. */
  readonly cap: number
}

/** One measure of each bucket. */
interface Computed {
  /** Equal for measures that one aggregation serves. */
  readonly name: string
  /** Null where no record can have a value. */
  readonly aggregation: Readonly<Record<string, unknown>> | null
  readonly read: (result: AggregationResult | undefined) => number | null
}

type NumberMeasure = Extract<Measure, { readonly kind: 'sum' | 'avg' | 'min' | 'max' }>

function presence(field: Field, kind: DocumentKind): Query {
  const target = fieldTarget(field, kind, true)
  if (target.kind === 'terms') return hasValue(target.terms)
  return { exists: { field: target.kind === 'time' ? '@timestamp' : target.number.field } }
}

/** Numbers of the engine's `stats`. */
interface Stats {
  readonly count: number
  readonly sum: number
  readonly avg: number | null
  readonly min: number | null
  readonly max: number | null
}

function statsOf({ kind, field }: NumberMeasure, of: DocumentKind): Computed {
  const numbers = scriptNumbers(field, of)
  const aggregation =
    numbers && (numbers.prefixes === null ? { stats: { field: numbers.field } } : { stats: { script: numbersScript(numbers) } })
  return {
    name: `stats ${field.in} ${field.name}`,
    aggregation,
    read: result => {
      const stats = result as Stats | undefined
      return stats && stats.count > 0 ? stats[kind] : null
    }
  }
}

function numbersOf(field: Field, atMost: number | undefined, of: DocumentKind): Computed {
  const numbers = scriptNumbers(field, of)
  const name = `numbers ${field.in} ${field.name} ${atMost ?? ''}`
  if (numbers?.prefixes === null && atMost !== undefined) {
    // A well-known number is one of its record.
    const aggregation = { filter: { range: { [numbers.field]: { lte: atMost } } } }
    return { name, aggregation, read: result => result?.doc_count ?? 0 }
  }
  const valuesOfField = (found: ScriptField): object => {
    if (found.prefixes === null) return { field: found.field }
    return { script: atMost === undefined ? numbersScript(found) : numbersUpToScript(found, atMost) }
  }
  return { name, aggregation: numbers && { value_count: valuesOfField(numbers) }, read: result => result?.value ?? 0 }
}

function tooManyValues(field: Field): GatewayError {
  const detail = `this store cannot compute this exactly over so many values of ${field.name}; request an estimate, or a shorter time range`
  return new GatewayError('unsupported_by_store', detail, { field: field.name })
}

function tallyOf(result: AggregationResult | undefined, field: Field): Tally {
  const tally = (result?.value ?? null) as unknown as Tally | null
  if (tally?.isCut) throw tooManyValues(field)
  return tally ?? { values: [], counts: [], isCut: false }
}

function percentileOf(field: Field, at: number, { kind, exact, cap }: MeasurePlan): Computed {
  const numbers = scriptNumbers(field, kind)
  return {
    name: `tally ${field.in} ${field.name}`,
    aggregation: numbers && tallyAggregation(exact ? 'numbers' : 'bins', numbers, cap),
    read: result => {
      const { values, counts } = tallyOf(result, field)
      const counted = values.map((value, i) => ({ value: exact ? value : middleOfBin(value), count: counts[i]! }))
      const sorted = counted.toSorted((a, b) => a.value - b.value)
      return interpolated(sorted, [at])[0]!
    }
  }
}

function distinctOf(field: Field, { kind, exact, cap }: MeasurePlan): Computed {
  const group = groupTerms(field, kind)
  const name = `distinct ${field.in} ${field.name}`
  if (!exact) {
    const estimate = { script: stringsScript(scriptStrings(field, kind)), precision_threshold: DISTINCT_THRESHOLD }
    return { name, aggregation: { cardinality: estimate }, read: result => result?.value ?? 0 }
  }
  return {
    name,
    aggregation: { terms: termsAggregation(group, cap + 1, cap + 1) },
    read: result => {
      const { buckets = [], sum_other_doc_count = 0 } = result ?? {}
      if (buckets.length > cap || sum_other_doc_count > 0) throw tooManyValues(field)
      return new Set(buckets.map(({ key }) => group.valueOf(String(key)))).size
    }
  }
}

function computed(measure: Measure, plan: MeasurePlan): Computed {
  switch (measure.kind) {
    case 'count': {
      const { field } = measure
      if (field === undefined) return { name: 'rows', aggregation: null, read: result => result?.doc_count ?? 0 }
      const aggregation = { filter: presence(field, plan.kind) }
      return { name: `count ${field.in} ${field.name}`, aggregation, read: result => result?.doc_count ?? 0 }
    }
    case 'distinct':
      return distinctOf(measure.field, plan)
    case 'numbers':
      return numbersOf(measure.field, measure.atMost, plan.kind)
    case 'percentile':
      return percentileOf(measure.field, measure.at, plan)
    default:
      return statsOf(measure, plan.kind)
  }
}

/** How the measures of a request are computed by the engine. Throws `unsupported_by_store`, `query_unsupported`. */
export class Measures {
  readonly #computed: readonly Computed[]
  readonly #names: ReadonlyMap<string, string>

  constructor(plan: MeasurePlan) {
    this.#computed = plan.measures.map(measure => computed(measure, plan))
    const names = this.#computed.filter(({ aggregation }) => aggregation !== null).map(({ name }) => name)
    this.#names = new Map([...new Set(names)].map((name, i) => [name, `m${i}`]))
  }

  /** Aggregations of each bucket. */
  get aggregations(): Aggregations {
    return Object.fromEntries(
      this.#computed.flatMap(({ name, aggregation }) => (aggregation ? [[this.#names.get(name)!, aggregation]] : []))
    )
  }

  /** The values of a bucket, or of none. */
  read(bucket: AggregationResult | undefined): readonly (number | null)[] {
    const parts = bucket as unknown as Counted | undefined
    return this.#computed.map(({ name, read }) => {
      const own = this.#names.get(name)
      return read(own === undefined ? (name === 'rows' ? bucket : undefined) : parts?.[own])
    })
  }
}

/** Whether the engine keeps the different values of each bucket. */
export function keepsValues({ kind }: Measure): boolean {
  return kind === 'percentile' || kind === 'distinct'
}

/** The largest relative error of estimated measures; 0 without any. */
export function errorOf({ measures, exact }: Pick<AggregateRequest, 'measures' | 'exact'>): number {
  if (exact) return 0
  const kinds = measures.map(({ kind }) => (kind === 'distinct' ? DISTINCT_ERROR : kind === 'percentile' ? BIN_ERROR : 0))
  return Math.max(...kinds)
}
