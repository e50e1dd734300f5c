import type { LogRecord } from '../../domain/records/log.js'
import { Redaction } from '../redact/redaction.js'
import type { CompiledRules } from './compile-rules.js'
import { isKept } from './sampling.js'

/** What rules do to the records of one signal. */
export interface RecordRules<Item> {
  readonly redact: (item: Item, redaction: Redaction) => Item
  /** The log that rules may drop; absent for other signals. */
  readonly logOf?: (item: Item) => LogRecord
}

/** Applies the rules of a namespace to the records of one request, and counts what they did. */
export class RulePass<Item> {
  readonly #rules: CompiledRules
  readonly #of: RecordRules<Item>
  readonly #redaction: Redaction | null
  readonly #dropped = new Map<string, number>()
  #droppedCount = 0

  constructor(rules: CompiledRules, of: RecordRules<Item>) {
    this.#rules = rules
    this.#of = of
    this.#redaction = rules.scanner === null ? null : new Redaction(rules.scanner)
  }

  /** Records that rules dropped. */
  get droppedCount(): number {
    return this.#droppedCount
  }

  /** Values that were replaced. */
  get redactedCount(): number {
    let count = 0
    for (const found of this.#redaction?.found.values() ?? []) count += found
    return count
  }

  /** The record without secrets. */
  redact(item: Item): Item {
    return this.#redaction === null ? item : this.#of.redact(item, this.#redaction)
  }

  /** A string that is stored elsewhere than in a record, or about to be cut. */
  text(text: string): string {
    return this.#redaction?.text(text) ?? text
  }

  /** The name of the rule that drops a redacted record; null if it is stored. */
  droppedBy(item: Item): string | null {
    if (this.#of.logOf === undefined || this.#rules.drops.length === 0) return null
    const log = this.#of.logOf(item)
    const rule = this.#rules.drops.find(({ matches }) => matches(log))
    if (rule === undefined || isKept(log, rule.keep)) return null
    this.#droppedCount++
    this.#dropped.set(rule.name, (this.#dropped.get(rule.name) ?? 0) + 1)
    return rule.name
  }

  /** Members of the response; empty when the rules changed nothing. */
  get report(): { readonly redacted?: Readonly<Record<string, number>>; readonly dropped?: Readonly<Record<string, number>> } {
    const found = this.#redaction?.found ?? new Map<string, number>()
    return {
      ...(found.size > 0 && { redacted: Object.fromEntries(found) }),
      ...(this.#dropped.size > 0 && { dropped: Object.fromEntries(this.#dropped) })
    }
  }
}
