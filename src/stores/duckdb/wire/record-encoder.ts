import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { fold, needsFoldColumn } from '../../../domain/case-folding.js'
import type { JsonObject } from '../../../domain/json.js'
import { type FlagField, fieldList, type ObjectField, type RecordField, type TextField } from '../../../domain/records/field.js'
import {
  encodeBigints,
  encodeBytes,
  encodeIntegers,
  encodeNullableNumbers,
  encodeStringColumn,
  type NamedColumns,
  type WireColumn
} from './columns.js'
import { encodeObjects } from './object-columns.js'

/** Any record with a table. */
type Item = { readonly index: number; readonly timestampNs: bigint }

/** Makes columns of records; short ones take little time for any number of records. */
export interface Encoder<Of extends Item = Item> {
  readonly isShort: boolean
  readonly encode: (items: readonly Of[]) => NamedColumns
}

/** Short encoders that run one after another without yielding. */
const SHORT_AT_ONCE = 4

function encoder(column: string, isShort: boolean, encode: (items: readonly Item[]) => WireColumn): Encoder {
  return { isShort, encode: items => ({ [column]: encode(items) }) }
}

function foldedOrNull(text: string): string | null {
  return needsFoldColumn(text) ? fold(text) : null
}

function textEncoders({ column, of, isFolded, isEmptyOmitted }: TextField): readonly Encoder[] {
  const text = of as (item: Item) => string
  if (isEmptyOmitted) return [encoder(column, true, items => encodeStringColumn(items, item => text(item) || null))]
  const plain = encoder(column, !isFolded, items => encodeStringColumn(items, text))
  if (!isFolded) return [plain]
  return [plain, encoder(`${column}_fold`, false, items => encodeStringColumn(items, item => foldedOrNull(text(item))))]
}

function objectEncoder({ column, of }: ObjectField): Encoder {
  const encode = (items: readonly Item[]) => {
    const { flat, sent } = encodeObjects(items, of as (item: Item) => JsonObject)
    return { [`${column}_json`]: flat, [`${column}_sent`]: sent }
  }
  return { isShort: false, encode }
}

function fieldEncoders(field: RecordField): readonly Encoder[] {
  const { column } = field
  switch (field.type) {
    case 'text':
      return textEncoders(field)
    case 'byte':
      return [encoder(column, true, items => encodeBytes(items, field.of as (item: Item) => number))]
    case 'nanoseconds':
      return [encoder(column, true, items => encodeBigints(items, field.of as (item: Item) => bigint))]
    case 'object':
      return [objectEncoder(field)]
    case 'bits':
      return [encoder(column, true, items => encodeIntegers(items, item => (field.of as (item: Item) => number)(item) | 0))]
    case 'flag':
      return []
    default:
      return [encoder(column, true, items => encodeNullableNumbers(items, field.of as (item: Item) => number | null))]
  }
}

/** The one column of all flags of a record. */
function flagEncoders(flags: readonly FlagField[]): readonly Encoder[] {
  if (flags.length === 0) return []
  const flagsOf = (item: Item) => flags.reduce((sum, { of, bit }) => (of(item as never) ? sum | bit : sum), 0)
  return [encoder(flags[0]!.column, true, items => encodeBytes(items, flagsOf))]
}

/** Encodes records of one table as its columns. */
export class RecordEncoder<Of extends Item> {
  /** Encoders that run without yielding between them. */
  readonly #steps: readonly (readonly Encoder[])[]

  /** `more`: encoders of columns other than those of fields. */
  constructor(table: Readonly<Record<string, RecordField>>, more: readonly Encoder<Of>[] = []) {
    const fields = [...fieldList(table)].sort((a, b) => a.at - b.at)
    const flags = fields.filter(field => field.type === 'flag')
    this.#steps = stepsOf([
      encoder('ts', true, items => encodeBigints(items, item => item.timestampNs)),
      encoder('idx', true, items => encodeIntegers(items, item => item.index)),
      ...flagEncoders(flags),
      ...fields.flatMap(fieldEncoders),
      ...(more as readonly Encoder[])
    ])
  }

  /** The columns of the records. */
  columns(items: readonly Of[]): NamedColumns {
    const columns = {}
    for (const step of this.#steps) encodeStep(step, items, columns)
    return columns
  }

  /** As `columns`, yielding between its steps: encoding ten thousand logs at once blocks for 50 ms. */
  async columnsInSlices(items: readonly Of[]): Promise<NamedColumns> {
    const columns = {}
    for (const step of this.#steps) {
      encodeStep(step, items, columns)
      await yieldToEventLoop()
    }
    return columns
  }
}

function encodeStep(step: readonly Encoder[], items: readonly Item[], columns: object): void {
  for (const { encode } of step) Object.assign(columns, encode(items))
}

function stepsOf(encoders: readonly Encoder[]): readonly (readonly Encoder[])[] {
  const steps: Encoder[][] = []
  for (const encoder of encoders) {
    const last = steps.at(-1)
    if (last && encoder.isShort && last.length < SHORT_AT_ONCE && last.every(({ isShort }) => isShort)) last.push(encoder)
    else steps.push([encoder])
  }
  return steps
}
