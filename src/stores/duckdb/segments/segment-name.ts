import { isNamespaceId, type NamespaceId } from '../../../domain/ids.js'
import { segmentEnding } from '../sealed-files.js'
import { type TableKind, TABLES } from '../tables.js'

/**
 * The parts of the name of a segment: `<namespace>/<kind>-<day>-<start>_<number>`, and behind it its format (`segmentEnding`).
 */
export interface NamedSegment {
  readonly ns: NamespaceId
  readonly kind: TableKind
  /** Days since 1970. */
  readonly day: number
  /** Number of the start of the store process that wrote it, and which of its numbers this is: later files have larger ones. */
  readonly epoch: bigint
  readonly number: bigint
}

const SEGMENT = /^([^/]+)\/([a-z]+)-(-?\d{1,9})-(\d{1,18})_(\d{1,18})(?:\.f\d{1,9})?\.parquet$/

/** The path of a segment below the folder of segments. */
export function segmentPath(
  { ns, kind, day }: Pick<NamedSegment, 'ns' | 'kind' | 'day'>,
  uniqueName: string,
  format: number
): string {
  return `${ns}/${kind}-${day}-${uniqueName}${segmentEnding(format)}`
}

/** Parses a path below the folder of segments; null for a path that this version does not give to a segment. */
export function readSegmentPath(file: string): NamedSegment | null {
  const [, ns, kind, day, epoch, number] = SEGMENT.exec(file) ?? []
  if (ns === undefined || !isNamespaceId(ns) || !Object.hasOwn(TABLES, kind!)) return null
  return { ns, kind: kind as TableKind, day: Number(day), epoch: BigInt(epoch!), number: BigInt(number!) }
}

/** Whether `a` was written after `b`. */
export function isNewer(a: NamedSegment, b: NamedSegment): boolean {
  return a.epoch > b.epoch || (a.epoch === b.epoch && a.number > b.number)
}
