import type { IngestId, NamespaceId } from '../../../domain/ids.js'
import type { MetricType } from '../../../domain/metric-point.js'
import { newerFormat } from '../newer-format.js'
import type { TableLayout } from '../table-layout.js'
import type { TableKind } from '../tables.js'
import type { AppendRequest, NamedSeries, PointsAppend, SentSeries } from './calls.js'
import { decodeStrings, encodeBigints, encodeBytes, encodeStrings, type NamedColumns, type StringColumn } from './columns.js'
import { packColumns, packedBytes, unpackColumns } from './packed-columns.js'

/** First byte of every packed request, before requests stated the format of their columns and since then. */
export const PACKED = 0x01
export const PACKED_WITH_FORMAT = 0x02
/** The format of requests that do not state it. */
export const LAST_UNSTATED_FORMAT = 3

// `[u8 PACKED_WITH_FORMAT][u16 format][u8 kind][u8 length of ns][ns][u8 length of ingest id][ingest id][u32 rows]`, then the columns.
// Positions are part of the journal's format: new ones go to the end.
const KINDS = ['logs', 'points', 'rum', 'errors', 'spans'] as const satisfies readonly TableKind[]
const FIXED_BYTES = 10
const FORMAT_BYTES = 2
const METRIC_TYPES: readonly MetricType[] = ['gauge', 'counter']

/** A request, ready to be written somewhere. */
export interface PackedAppend {
  readonly bytes: number
  /** Writes it from `at` on. */
  write(out: Buffer, at: number): void
}

/** The form in which a request with the columns of `format` goes over the pipe and into the journal. */
export function packAppend(request: AppendRequest, format: number): PackedAppend {
  const { kind, ns, ingestId, rows } = request
  const columns = request.kind === 'points' ? pointColumns(request) : request.columns
  return {
    bytes: FIXED_BYTES + ns.length + ingestId.length + packedBytes(columns),
    write(out, at) {
      out[at] = PACKED_WITH_FORMAT
      const toKind = out.writeUInt16LE(format, at + 1)
      out[toKind] = KINDS.indexOf(kind)
      let to = packText(out, toKind + 1, ns)
      to = packText(out, to, ingestId)
      packColumns(out, out.writeUInt32LE(rows, to), columns)
    }
  }
}

/** Whether bytes begin as a packed request does. */
export function isPacked(bytes: Buffer, at: number): boolean {
  return bytes[at] === PACKED || bytes[at] === PACKED_WITH_FORMAT
}

/**
 * The request that was packed, with the columns of the layout. Throws for other bytes; `conflict` for those of a later
 * format. Strings share the memory of `bytes`.
 */
export function unpackAppend(bytes: Buffer, layout: TableLayout): AppendRequest {
  const statesFormat = bytes[0] === PACKED_WITH_FORMAT
  const format = statesFormat ? bytes.readUInt16LE(1) : LAST_UNSTATED_FORMAT
  if (format > layout.format) throw newerFormat('a request', format, layout.format)
  const from = statesFormat ? 1 + FORMAT_BYTES : 1
  const kind = isPacked(bytes, 0) ? KINDS[bytes[from]!] : undefined
  if (kind === undefined) throw new RangeError('not a packed request')
  const ns = textAt(bytes, from + 1)
  const ingestId = textAt(bytes, from + 2 + ns.length)
  const at = from + 3 + ns.length + ingestId.length
  const columns = unpackColumns(bytes, at + 4)
  const rows = bytes.readUInt32LE(at)
  const head = { ns: ns as NamespaceId, ingestId: ingestId as IngestId, rows }
  if (kind === 'points') return { kind, ...head, ...pointsOf(columns), ...(format < layout.format && { format }) }
  return { kind, ...head, columns: layout.upgraded(kind, format, rows, columns) }
}

// Ids are ASCII.
function packText(out: Buffer, at: number, text: string): number {
  out[at] = text.length
  return at + 1 + out.write(text, at + 1, 'latin1')
}

function textAt(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at + 1, at + 1 + bytes[at]!)
}

// Series that are named in full are in `key` and `type`, in their order; `id` has one number for each series of the
// request, 0 for those. Without it all are named.
function pointColumns({ series, ts, value, histogram, index, seriesList }: PointsAppend): NamedColumns {
  const named = seriesList.filter(isNamed)
  return {
    series,
    ts,
    value,
    histogram,
    index,
    key: encodeStrings(named, each => each.key),
    type: encodeBytes(named, each => METRIC_TYPES.indexOf(each.type)),
    id: named.length === seriesList.length ? null : encodeBigints(seriesList, each => (isNamed(each) ? 0n : each.id))
  }
}

/** Whether a series is sent with its name and labels. */
export function isNamed(series: SentSeries): series is NamedSeries {
  return 'key' in series
}

function pointsOf(columns: NamedColumns): Omit<PointsAppend, 'kind' | 'format' | 'ns' | 'ingestId' | 'rows'> {
  const { series, ts, value, index } = columns as unknown as PointsAppend
  const histogram = (columns['histogram'] ?? null) as StringColumn | null
  return { series, ts, value, histogram, index, seriesList: seriesListOf(columns) }
}

function seriesListOf(columns: NamedColumns): SentSeries[] {
  const types = columns['type'] as Uint8Array
  const keys = columns['key'] ? decodeStrings(columns['key'] as StringColumn) : []
  const named = keys.map((key, i): NamedSeries => ({ key, type: METRIC_TYPES[types[i]!]! }))
  if (!columns['id']) return named
  const list: SentSeries[] = []
  let next = 0
  for (const id of columns['id'] as BigInt64Array) {
    const series = id === 0n ? named[next++] : { id }
    if (series === undefined) throw new RangeError('a packed request has no names for some series')
    list.push(series)
  }
  return list
}
