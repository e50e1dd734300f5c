import { familiesOf, METRIC_KINDS, type MetricFacts, type MetricKind } from '../../domain/metric-facts.js'
import { BadSyntax, shown } from '../text-lines/read-lines.js'
import { LineScanner } from './line-scanner.js'

const ESCAPE = /\\(\\|n|")/g

/** Metric families as the comments of an exposition describe them. */
export class Families {
  readonly #facts = new Map<string, MetricFacts>()
  #lastName = ''
  #last: MetricFacts | null = null

  /** Everything that was stated, a family once. */
  all(): readonly MetricFacts[] {
    return [...this.#facts.values()]
  }

  /** Reads what follows `# HELP `, `# TYPE ` or `# UNIT `. Throws `BadSyntax`. */
  read(keyword: 'HELP' | 'TYPE' | 'UNIT', text: string): void {
    const scanner = new LineScanner(text)
    const name = scanner.blanks().metricName()
    const before = this.#facts.get(name) ?? { name, kind: 'unknown', help: '', unit: '' }
    const rest = scanner.blanks().rest()
    this.#facts.set(name, { ...before, ...statedFacts(keyword, rest) })
    this.#lastName = ''
  }

  /** The family of a sample of this name; those of one family mostly follow each other. */
  of(name: string): MetricFacts | null {
    if (name === this.#lastName) return this.#last
    const family = familiesOf(name).find(candidate => this.#facts.has(candidate))
    this.#lastName = name
    this.#last = family === undefined ? null : this.#facts.get(family)!
    return this.#last
  }
}

function statedFacts(keyword: 'HELP' | 'TYPE' | 'UNIT', rest: string): Partial<MetricFacts> {
  if (keyword === 'HELP') return { help: rest.replaceAll(ESCAPE, (_, escaped) => (escaped === 'n' ? '\n' : String(escaped))) }
  if (keyword === 'UNIT') return { unit: rest.trim() }
  return { kind: kindOf(rest.trim()) }
}

function kindOf(text: string): MetricKind {
  if (text === 'untyped') return 'unknown'
  const kind = METRIC_KINDS.find(known => known === text)
  if (kind === undefined) throw new BadSyntax(`${shown(text)} is not a metric type`)
  return kind
}
