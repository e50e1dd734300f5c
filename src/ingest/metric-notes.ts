import type { Exemplar } from '../domain/exemplar.js'
import type { MetricFacts } from '../domain/metric-facts.js'
import type { Label } from '../domain/metric-point.js'
import { truncateString, isLonger } from './string-size.js'

/** Exemplars kept of one request; what is beyond is counted as refused. */
export const MAX_EXEMPLARS = 10_000
/** The limit of families in one request; others are left out. */
export const MAX_FACTS = 10_000
/** Help strings; what is longer is cut and ends in an ellipsis. */
export const MAX_HELP_BYTES = 1_024
const MAX_UNIT_BYTES = 128
/** An exemplar's own labels together. OpenMetrics allows 128 characters. */
export const MAX_OWN_LABEL_BYTES = 1_024
/** The labels of its series together: an exemplar carries them. */
export const MAX_SERIES_LABEL_BYTES = 4_096
/** Ignored members that a response names. */
export const MAX_IGNORED_MEMBERS = 20
const MAX_MEMBER_BYTES = 128
const ELLIPSIS = '…'
const ELLIPSIS_BYTES = 3

/** The check of the item that an exemplar belongs to. */
interface Checking {
  readonly index: number
  readonly fault: object | null
  inWindow(ns: bigint, field: string): bigint
  begin(index: number): void
}

/** Metadata and exemplars of metrics in a request. A fault in them rejects no sample. */
export class MetricNotes {
  readonly facts = new Map<string, MetricFacts>()
  readonly exemplars: Exemplar[] = []
  refusedExemplars = 0
  /** Places of the items that are native histograms and were not refused. */
  readonly histograms = new Set<number>()
  /** Members of points that mean nothing here, each once; the points are stored without them. */
  readonly ignoredMembers = new Set<string>()
  /** Values that are not numbers, which were left out on purpose (strings of line protocol). */
  ignoredValues = 0
  readonly #seen = new Set<object>()

  /** Whether the object is seen for the first time: what many points share is described once. */
  isFirst(shared: object): boolean {
    if (this.#seen.has(shared)) return false
    this.#seen.add(shared)
    return true
  }

  /** Notes a member that is skipped; of very many names the first are listed. */
  passOver(member: string): void {
    if (this.ignoredMembers.size < MAX_IGNORED_MEMBERS) this.ignoredMembers.add(cut(member, MAX_MEMBER_BYTES))
  }

  /** Adds the metadata of a family; ignores empty metadata and invalid names. */
  describe(facts: MetricFacts, maxNameBytes: number): void {
    if (facts.name === '' || isLonger(facts.name, maxNameBytes)) return
    if (facts.kind === 'unknown' && facts.help === '' && facts.unit === '') return
    if (this.facts.size >= MAX_FACTS && !this.facts.has(facts.name)) return
    this.facts.set(facts.name, { ...facts, help: cut(facts.help, MAX_HELP_BYTES), unit: cut(facts.unit, MAX_UNIT_BYTES) })
  }

  /**
   * Takes an exemplar when there is room, and its labels and time are good by the rules of points; else it is counted as
   * refused. `check` is at the exemplar's item, and forgets the fault.
   */
  note(exemplar: Exemplar, check: Checking): void {
    check.inWindow(exemplar.timestampNs, 'exemplar')
    const isSmall = sizeOf(exemplar.ownLabels) <= MAX_OWN_LABEL_BYTES && sizeOf(exemplar.labels) <= MAX_SERIES_LABEL_BYTES
    const isGood = check.fault === null && isSmall && this.exemplars.length < MAX_EXEMPLARS
    if (isGood) this.exemplars.push(exemplar)
    else this.refusedExemplars++
    check.begin(check.index)
  }
}

function sizeOf(labels: readonly Label[]): number {
  let size = 0
  for (const { name, value } of labels) size += Buffer.byteLength(name) + Buffer.byteLength(value)
  return size
}

function cut(text: string, maxBytes: number): string {
  return isLonger(text, maxBytes) ? truncateString(text, maxBytes - ELLIPSIS_BYTES) + ELLIPSIS : text
}
