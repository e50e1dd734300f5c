import { retentionStartNs } from '../domain/namespace.js'
import type { Clock } from '../ports/clock.js'
import type { FairScheduler } from './fair-scheduler.js'
import { type IngestRequest, NOTHING_SHARED } from './ingest-request.js'
import { isRefused, ItemCheck, type RefusedItem } from './item-check.js'
import type { IngestLimits } from './limits.js'
import { NO_DEFAULTS, withTag } from './log-defaults.js'
import type { MetricNotes } from './metric-notes.js'
import { Refusals } from './outcome.js'
import { parseLogDefaults } from './parse-log-defaults.js'
import { type RawRecords, UnreadableItem } from './read-records.js'
import { DEFAULT_LOG_OPTIONS } from './recognize-log/log-options.js'
import type { LogReadings } from './recognize-log/log-readings.js'
import type { ResolvedNamespace } from './resolve-namespace.js'
import type { RuleBook } from './rules/rule-book.js'
import { RulePass } from './rules/rule-pass.js'
import type { IngestSignal } from './signal.js'
import { isOfStream } from './streams/accept-stream.js'
import { STREAM_TAG } from './streams/unrecorded-records.js'
import { TimedSlices } from './timed-slices.js'

const NS_PER_MS = 1_000_000n

/** A request on its way: parsed and resolved, its items not yet checked. */
export interface Job {
  readonly request: IngestRequest
  readonly raw: RawRecords
  readonly target: ResolvedNamespace
  /** Positions of records that are stored already: they are left out, and the others keep their positions. */
  readonly stored?: ReadonlySet<number>
}

/** The records of a request after their checks. */
export interface Checked<Item> {
  /** Those to store; of a dry run also those that a rule dropped. */
  readonly items: Item[]
  readonly refusals: Refusals
  readonly notes: MetricNotes
  readonly logs: LogReadings
  /** Null: the namespace has no rules for such records. */
  readonly rules: RulePass<Item> | null
  /** Of a dry run: the rules that dropped records. */
  readonly droppedBy: Map<Item, string>
}

export interface CheckDeps {
  readonly clock: Clock
  readonly scheduler: FairScheduler
  readonly limits: IngestLimits
  readonly ruleBook: RuleBook
}

function isMany<Item extends object>(parsed: Item | readonly Item[] | RefusedItem): parsed is readonly Item[] {
  return Array.isArray(parsed)
}

/**
 * The one place where records are checked, read by the rules of their namespace, redacted and dropped: whatever comes
 * after it (patterns, journal, spool, stores) sees only what may be stored.
 */
export class RecordChecker<Item extends { readonly index: number }> {
  readonly #signal: IngestSignal<Item>
  readonly #deps: CheckDeps

  constructor(signal: IngestSignal<Item>, deps: CheckDeps) {
    this.#signal = signal
    this.#deps = deps
  }

  /** Checks all records, in slices. */
  async check(job: Job): Promise<Checked<Item>> {
    const { rules: ofRecords } = this.#signal
    const compiled = ofRecords === undefined ? null : this.#deps.ruleBook.of(job.target.namespace)
    const rules = compiled === null ? null : new RulePass(compiled, ofRecords!)
    const check = this.#itemCheck(job, { fields: compiled?.fields ?? null, redact: rules && (text => rules.text(text)) })
    const checked: Checked<Item> = {
      ...{ items: [], refusals: new Refusals(), notes: check.notes, logs: check.logs },
      ...{ rules, droppedBy: new Map<Item, string>() }
    }
    const slices = new TimedSlices(this.#deps.scheduler, this.#deps.clock)
    if (job.request.body.length > this.#deps.limits.sliceBytes) await slices.next()
    const { items, metadata = [] } = job.raw
    for (let index = 0; index < items.length; index++) {
      if (slices.isOver()) await slices.next()
      if (job.stored?.has(index) !== true) this.#checkOne(checked, check, items[index], index)
    }
    for (const item of metadata) {
      if (slices.isOver()) await slices.next()
      this.#signal.note?.(item, check)
    }
    if (rules !== null && !job.request.isDryRun) this.#deps.ruleBook.addRedacted(rules.redactedCount)
    return checked
  }

  #checkOne(checked: Checked<Item>, check: ItemCheck, item: unknown, index: number): void {
    if (item instanceof UnreadableItem) return checked.refusals.add({ index, code: item.code, detail: item.detail })
    check.begin(index)
    const parsed = this.#signal.parse(item, check)
    if (isMany(parsed)) for (const part of parsed) this.#add(checked, check, part)
    else if (isRefused(parsed)) checked.refusals.add(redactRefusal(parsed, checked.rules))
    else this.#add(checked, check, parsed)
  }

  #add({ items, rules, droppedBy }: Checked<Item>, check: ItemCheck, item: Item): void {
    if (rules === null) {
      items.push(item)
      return
    }
    const redacted = rules.redact(item)
    const rule = rules.droppedBy(redacted)
    if (rule !== null && check.context.isDryRun) droppedBy.set(redacted, rule)
    if (rule === null || check.context.isDryRun) items.push(redacted)
  }

  #itemCheck({ request, raw, target: { namespace } }: Job, rules: Pick<ItemCheck['context'], 'fields' | 'redact'>): ItemCheck {
    const { limits, clock } = this.#deps
    const nowNs = clock.nowNs()
    const check = new ItemCheck({
      limits,
      nowNs,
      oldestNs: retentionStartNs(namespace.retention, this.#signal.retained, nowNs),
      newestNs: nowNs + BigInt(limits.futureMs) * NS_PER_MS,
      namespaceId: namespace.id,
      namespace: namespace.name,
      country: request.country ?? null,
      shared: request.shared ?? NOTHING_SHARED,
      logs: request.logs ?? DEFAULT_LOG_OPTIONS,
      defaults: NO_DEFAULTS,
      isDryRun: request.isDryRun,
      ...rules
    })
    const sent = parseLogDefaults(raw.defaults, check)
    const defaults = isOfStream(raw) ? withTag(sent, STREAM_TAG, raw.stream.id) : sent
    return defaults === NO_DEFAULTS ? check : new ItemCheck({ ...check.context, defaults })
  }
}

/** Names that a refusal repeats are the sender's, and the response may be stored for repeats. */
function redactRefusal<Item>(refused: RefusedItem, rules: RulePass<Item> | null): RefusedItem {
  if (rules === null) return refused
  const { field, detail } = refused
  return { ...refused, detail: rules.text(detail), ...(field !== undefined && { field: rules.text(field) }) }
}
