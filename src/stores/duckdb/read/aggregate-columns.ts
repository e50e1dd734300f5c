import type { AggregateRequest, Measure } from '../../../domain/aggregate.js'
import type { Field } from '../../../domain/filter.js'
import type { TableFields } from './field-target.js'
import { fieldValue } from './field-value.js'
import { numberValue } from './number-value.js'
import type { Params } from './params.js'

/** Values of one field that measures read. */
export interface MeasuredColumn {
  readonly field: Field
  readonly as: 'number' | 'text'
}

type PercentileMeasure = Extract<Measure, { readonly kind: 'percentile' }>

function columnOf(measure: Measure): MeasuredColumn | null {
  if (measure.kind === 'distinct') return { field: measure.field, as: 'text' }
  if (measure.kind === 'count') return measure.field ? { field: measure.field, as: 'text' } : null
  return { field: measure.field, as: 'number' }
}

function isSame(a: MeasuredColumn, b: MeasuredColumn): boolean {
  return a.as === b.as && a.field.in === b.field.in && a.field.name === b.field.name
}

/** Which columns measures read, each once, and the SQL of the measures over them. */
export class MeasuredColumns {
  readonly list: readonly MeasuredColumn[]
  readonly #measures: readonly Measure[]

  constructor({ measures }: Pick<AggregateRequest, 'measures'>) {
    const columns: MeasuredColumn[] = []
    for (const column of measures.map(columnOf)) {
      if (column && !columns.some(each => isSame(each, column))) columns.push(column)
    }
    this.list = columns
    this.#measures = measures
  }

  /**
   * One expression per measure over rows of `n, c0, c1, ...`. `n` is 1 for a row and 0 for its further numbers;
   * `isExpanded`: whether any row has further ones.
   */
  sql(isExpanded: boolean): readonly string[] {
    return this.#measures.map(measure => this.#sqlOf(measure, isExpanded))
  }

  /** The number of a column in the list. */
  indexOf(column: MeasuredColumn): number {
    return this.list.findIndex(each => isSame(each, column))
  }

  #sqlOf(measure: Measure, isExpanded: boolean): string {
    const own = columnOf(measure)
    const name = own && `c${this.indexOf(own)}`
    const rows = isExpanded ? ' FILTER (n = 1)' : ''
    switch (measure.kind) {
      case 'count':
        return `count(${name ?? '*'})${rows}`
      case 'distinct':
        return `count(DISTINCT ${name})`
      case 'numbers':
        // A number in exponential notation is a DOUBLE, as the column is: a decimal would be compared as one.
        return `count(${name})${measure.atMost === undefined ? '' : ` FILTER (${name} <= ${measure.atMost.toExponential()})`}`
      case 'percentile':
        return this.#percentileSql(measure, name!)
      case 'sum':
      case 'avg':
        // With compensation: sums of doubles depend on the order of rows otherwise.
        return `f${measure.kind}(${name})`
      default:
        return `${measure.kind}(${name})`
    }
  }

  /** One list for all percentiles of a column: equal aggregates are computed once, and each has a copy of all numbers. */
  #percentileSql(measure: PercentileMeasure, name: string): string {
    const own = columnOf(measure)!
    const all = this.#measures.filter(each => each.kind === 'percentile').filter(each => isSame(columnOf(each)!, own))
    const shares = [...new Set(all.map(({ at }) => at))]
    return `quantile_cont(${name}, [${shares.join(', ')}])[${shares.indexOf(measure.at) + 1}]`
  }
}

/** A column of a row, or a list of its different values, without NULL among them. */
export interface ReadColumn {
  readonly sql: string
  readonly isList: boolean
  readonly type: 'DOUBLE' | 'VARCHAR'
}

/** How to read a column in rows with these fields. */
export function readColumn({ field, as }: MeasuredColumn, table: TableFields, params: Params): ReadColumn {
  if (as === 'text') return { ...fieldValue(field, table, params), type: 'VARCHAR' }
  const { sql, isList } = numberValue(field, table, params)
  const list = `list_distinct(list_filter(coalesce(${sql}, []), lambda v: v IS NOT NULL))`
  return { sql: isList ? list : sql, isList, type: 'DOUBLE' }
}
