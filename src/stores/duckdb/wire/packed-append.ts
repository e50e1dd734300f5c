import type { IngestId, NamespaceId } from '../../../domain/ids.js'
import type { MetricType } from '../../../domain/metric-point.js'
import type { TableKind } from '../tables.js'
import type { AppendRequest, NamedSeries, PointsAppend, SentSeries } from './calls.js'
import { decodeTexts, encodeBigints, encodeBytes, encodeTexts, type NamedColumns, type TextColumn } from './columns.js'
import { packColumns, packedBytes, unpackColumns } from './packed-columns.js'

/** First byte of every packed request. */
export const PACKED = 0x01

// `[u8 PACKED][u8 kind][u8 length of ns][ns][u8 length of ingest id][ingest id][u32 rows]`, then the columns.
// Positions are part of the journal's format: new ones go to the end.
const KINDS = ['logs', 'points', 'rum', 'errors', 'spans'] as const satisfies readonly TableKind[]
const FIXED_BYTES = 8
const METRIC_TYPES: readonly MetricType[] = ['gauge', 'counter']

/** A request, ready to be written somewhere. */
export interface PackedAppend {
  readonly bytes: number
  /** Writes it from `at` on. */
  write(out: Buffer, at: number): void
}

/** The form in which a request goes over the pipe and into the journal. */
export function packAppend(request: AppendRequest): PackedAppend {
  const { kind, ns, ingestId, rows } = request
  const columns = request.kind === 'points' ? pointColumns(request) : request.columns
  return {
    bytes: FIXED_BYTES + ns.length + ingestId.length + packedBytes(columns),
    write(out, at) {
      out[at] = PACKED
      out[at + 1] = KINDS.indexOf(kind)
      let to = packText(out, at + 2, ns)
      to = packText(out, to, ingestId)
      packColumns(out, out.writeUInt32LE(rows, to), columns)
    }
  }
}

/** The request that was packed. Throws for bytes that are none. Texts share the memory of `bytes`. */
export function unpackAppend(bytes: Buffer): AppendRequest {
  const kind = bytes[0] === PACKED ? KINDS[bytes[1]!] : undefined
  if (kind === undefined) throw new RangeError('not a packed request')
  const ns = textAt(bytes, 2)
  const ingestId = textAt(bytes, 3 + ns.length)
  const at = 4 + ns.length + ingestId.length
  const columns = unpackColumns(bytes, at + 4)
  const head = { ns: ns as NamespaceId, ingestId: ingestId as IngestId, rows: bytes.readUInt32LE(at) }
  return kind === 'points' ? { kind, ...head, ...pointsOf(columns) } : { kind, ...head, columns }
}

// Ids are ASCII.
function packText(out: Buffer, at: number, text: string): number {
  out[at] = text.length
  return at + 1 + out.write(text, at + 1, 'latin1')
}

function textAt(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at + 1, at + 1 + bytes[at]!)
}

// Series that are named in full stand in `key` and `type`, in their order; `id` has one number for each series of the
// request, 0 for those. Without it all are named.
function pointColumns({ series, ts, value, histogram, index, seriesList }: PointsAppend): NamedColumns {
  const named = seriesList.filter(isNamed)
  return {
    series,
    ts,
    value,
    histogram,
    index,
    key: encodeTexts(named, each => each.key),
    type: encodeBytes(named, each => METRIC_TYPES.indexOf(each.type)),
    id: named.length === seriesList.length ? null : encodeBigints(seriesList, each => (isNamed(each) ? 0n : each.id))
  }
}

/** Whether a series is sent with its name and labels. */
export function isNamed(series: SentSeries): series is NamedSeries {
  return 'key' in series
}

function pointsOf(columns: NamedColumns): Omit<PointsAppend, 'kind' | 'ns' | 'ingestId' | 'rows'> {
  const { series, ts, value, index } = columns as unknown as PointsAppend
  const histogram = (columns['histogram'] ?? null) as TextColumn | null
  return { series, ts, value, histogram, index, seriesList: seriesListOf(columns) }
}

function seriesListOf(columns: NamedColumns): SentSeries[] {
  const types = columns['type'] as Uint8Array
  const keys = columns['key'] ? decodeTexts(columns['key'] as TextColumn) : []
  const named = keys.map((key, i): NamedSeries => ({ key, type: METRIC_TYPES[types[i]!]! }))
  if (!columns['id']) return named
  const list: SentSeries[] = []
  let next = 0
  for (const id of columns['id'] as BigInt64Array) {
    const series = id === 0n ? named[next++] : { id }
    if (series === undefined) throw new RangeError('a packed request lacks names of series')
    list.push(series)
  }
  return list
}
