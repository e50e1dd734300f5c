import type { Columns, ColumnType } from './field-columns.js'
import { type ColumnChange, FIRST_FORMAT, FORMAT_STEPS, type FormatStep, type TableKind, TABLES, type Tables } from './tables.js'
import { type NamedColumns, encodeStrings, type WireColumn } from './wire/columns.js'

type Numbers = BigInt64Array | Int32Array | Uint8Array | Float64Array

const MAKERS: Readonly<Record<Exclude<ColumnType, 'VARCHAR'>, (numbers: ArrayLike<number | bigint>) => Numbers>> = {
  UTINYINT: numbers => Uint8Array.from(numbers, Number),
  INTEGER: numbers => Int32Array.from(numbers, Number),
  BIGINT: numbers => BigInt64Array.from(numbers, BigInt),
  DOUBLE: numbers => Float64Array.from(numbers, Number)
}

/** A column of a narrower type as one of `type`: whole numbers become larger ones, doubles or their digits. */
function widenColumn(column: WireColumn, type: ColumnType): WireColumn {
  if (column === null || 'lengths' in column || 'shared' in column) return column
  if ('orNaN' in column) return type === 'VARCHAR' ? digitsOf(column.orNaN) : column
  return type === 'VARCHAR' ? digitsOf(column) : MAKERS[type](column)
}

/** A column in which every row has the same value. */
function constantColumn(value: string | number | null, type: ColumnType, rows: number): WireColumn {
  if (value === null) return null
  return type === 'VARCHAR'
    ? { shared: Buffer.from(String(value)) }
    : MAKERS[type](Array.from({ length: rows }, () => value as number))
}

function digitsOf(numbers: ArrayLike<number | bigint>): WireColumn {
  return encodeStrings(Array.from(numbers), number => (Number.isNaN(number) ? null : String(number)))
}

/** Types that hold every value of a type. */
const WIDER: Readonly<Record<ColumnType, readonly ColumnType[]>> = {
  UTINYINT: ['INTEGER', 'BIGINT', 'DOUBLE', 'VARCHAR'],
  INTEGER: ['BIGINT', 'DOUBLE', 'VARCHAR'],
  BIGINT: ['VARCHAR'],
  DOUBLE: [],
  VARCHAR: []
}

/** A change with the type that its column has after it. */
type TypedChange =
  | { readonly kind: 'add'; readonly column: string; readonly type: ColumnType; readonly value: string | number | null }
  | { readonly kind: 'widen'; readonly column: string; readonly type: ColumnType }
  | { readonly kind: 'drop'; readonly column: string }

interface TypedStep extends Omit<FormatStep, 'columns'> {
  readonly changes: Readonly<Record<TableKind, readonly TypedChange[]>>
}

/** What is stored where in the present format, and how each earlier one becomes it. */
export class TableLayout {
  readonly tables: Tables
  readonly format: number
  readonly #steps: readonly TypedStep[]
  readonly #names: Readonly<Record<TableKind, readonly string[]>>
  readonly #projections = new Map<string, string | null>()

  /** Throws when the tables are not what the steps make. */
  constructor(tables: Tables, steps: readonly FormatStep[]) {
    const kinds = Object.keys(tables) as TableKind[]
    this.tables = tables
    this.format = FIRST_FORMAT + steps.length
    this.#names = perKind(kinds, kind => Object.keys(tables[kind]))
    const changes = perKind(kinds, kind => typedChanges(kind, tables[kind], steps))
    this.#steps = steps.map((step, i) => {
      if (step.format !== FIRST_FORMAT + i + 1) throw new Error(`format step ${i} makes format ${step.format}`)
      return { ...step, changes: perKind(kinds, kind => changes[kind][i]!) }
    })
  }

  /** Names of the columns of a kind, in storage order. */
  names(kind: TableKind): readonly string[] {
    return this.#names[kind]
  }

  /** Kinds that a format lacks. */
  kindsSince(format: number): readonly TableKind[] {
    return this.#since(format).flatMap(({ kinds = [] }) => kinds)
  }

  /** Statements that bring the bookkeeping tables of a format up to date. */
  statementsSince(format: number): readonly string[] {
    return this.#since(format).flatMap(({ statements = [] }) => statements)
  }

  /** Statements that bring a hot table of a format up to date. */
  alterations(kind: TableKind, table: string, format: number): readonly string[] {
    return this.#changes(kind, format).map(change => `ALTER TABLE hot.main.${table} ${alteration(change)}`)
  }

  /** The columns of a kind as a list of SELECT over a segment of a format; null when the segment has just those. */
  projection(kind: TableKind, format: number): string | null {
    const key = `${kind} ${format}`
    const known = this.#projections.get(key)
    if (known !== undefined) return known
    const changes = this.#changes(kind, format)
    const projection = changes.length === 0 ? null : projectionOf(this.names(kind), changes)
    this.#projections.set(key, projection)
    return projection
  }

  /** The columns of a request of a format as the present one has them. */
  upgraded(kind: TableKind, format: number, rows: number, columns: NamedColumns): NamedColumns {
    const changes = this.#changes(kind, format)
    if (changes.length === 0) return columns
    const byName = new Map(Object.entries(columns))
    for (const change of changes) {
      const { column } = change
      if (change.kind === 'drop') byName.delete(column)
      else if (change.kind === 'add') byName.set(column, constantColumn(change.value, change.type, rows))
      else byName.set(column, widenColumn(byName.get(column) ?? null, change.type))
    }
    return Object.fromEntries(byName)
  }

  #since(format: number): readonly TypedStep[] {
    return this.#steps.filter(step => step.format > format)
  }

  #changes(kind: TableKind, format: number): readonly TypedChange[] {
    return format === this.format ? [] : this.#since(format).flatMap(({ changes }) => changes[kind])
  }
}

/** The layout of this version. */
export const LAYOUT = new TableLayout(TABLES, FORMAT_STEPS)

function perKind<T>(kinds: readonly TableKind[], make: (kind: TableKind) => T): Readonly<Record<TableKind, T>> {
  return Object.fromEntries(kinds.map(kind => [kind, make(kind)])) as Record<TableKind, T>
}

/** The changes of each step, found from the last one backwards: only then are the types known. */
function typedChanges(kind: TableKind, present: Columns, steps: readonly FormatStep[]): readonly (readonly TypedChange[])[] {
  const columns = new Map(Object.entries(present))
  const typed = steps
    .toReversed()
    .map(step => (step.columns?.[kind] ?? []).toReversed().map(change => undo(kind, columns, change)))
  const changes = typed.map(each => each.toReversed()).toReversed()
  const added = changes.flat().filter(change => change.kind === 'add' && change.column in present)
  const last = Object.keys(present).slice(-added.length)
  if (added.some(({ column }) => !last.includes(column)))
    throw new Error(`columns that were added to ${kind} must be the last ones of its table, in the order of their steps`)
  return changes
}

function undo(kind: TableKind, columns: Map<string, ColumnType>, change: ColumnChange): TypedChange {
  if ('drop' in change) {
    if (columns.has(change.drop)) throw new Error(`the column ${change.drop} of ${kind} is dropped and still there`)
    columns.set(change.drop, change.from)
    return { kind: 'drop', column: change.drop }
  }
  const column = 'add' in change ? change.add : change.widen
  const type = columns.get(column)
  if (type === undefined) throw new Error(`the column ${column} of ${kind} is changed and not there`)
  if ('add' in change) {
    columns.delete(column)
    return { kind: 'add', column, type, value: change.default ?? null }
  }
  if (!WIDER[change.from].includes(type))
    throw new Error(`the column ${column} of ${kind} cannot become ${type} from ${change.from}`)
  columns.set(column, change.from)
  return { kind: 'widen', column, type }
}

function literalOf(value: string | number | null): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value ?? 'NULL')
}

function alteration(change: TypedChange): string {
  const column = `"${change.column}"`
  switch (change.kind) {
    case 'add':
      return `ADD COLUMN ${column} ${change.type}${change.value === null ? '' : ` DEFAULT ${literalOf(change.value)}`}`
    case 'widen':
      return `ALTER COLUMN ${column} TYPE ${change.type}`
    default:
      return `DROP COLUMN ${column}`
  }
}

function projectionOf(names: readonly string[], changes: readonly TypedChange[]): string {
  const sources = new Map<string, string>()
  for (const change of changes) {
    const { column } = change
    if (change.kind === 'add') sources.set(column, `CAST(${literalOf(change.value)} AS ${change.type})`)
    else if (change.kind === 'widen') sources.set(column, `CAST(${sources.get(column) ?? `"${column}"`} AS ${change.type})`)
    else sources.delete(column)
  }
  return names.map(name => (sources.has(name) ? `${sources.get(name)} AS "${name}"` : `"${name}"`)).join(', ')
}
