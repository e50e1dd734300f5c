import type { Label } from '../../../domain/metric-point.js'
import { compileMatchers, type LabelTest, labelValue } from './matchers.js'
import type { InhibitRule } from './routing.js'

interface CompiledRule {
  readonly isSource: LabelTest
  readonly isTarget: LabelTest
  readonly equal: readonly string[]
  /** By values of `equal`: whether a firing source does not match `target` as well. */
  readonly sources: Map<string, boolean>
}

function valuesOf(names: readonly string[], labels: readonly Label[]): string {
  return JSON.stringify(names.map(name => labelValue(labels, name)))
}

function addSource({ isSource, isTarget, equal, sources }: CompiledRule, labels: readonly Label[]): void {
  if (!isSource(labels)) return
  const values = valuesOf(equal, labels)
  sources.set(values, sources.get(values) === true || !isTarget(labels))
}

/** Which alerts are inhibited while others fire. */
export class Inhibitions {
  readonly #rules: readonly CompiledRule[]

  /** @param firing labels of all firing alerts of the namespace. */
  constructor(rules: readonly InhibitRule[], firing: Iterable<readonly Label[]>) {
    this.#rules = rules.map(({ source, target, equal }) => ({
      isSource: compileMatchers(source),
      isTarget: compileMatchers(target),
      equal,
      sources: new Map()
    }))
    if (rules.length === 0) return
    for (const labels of firing) for (const rule of this.#rules) addSource(rule, labels)
  }

  /**
   * Whether a firing alert inhibits an alert with these labels. One that matches both sides of a rule is not inhibited by
   * others that do, so never by itself. Source: Alertmanager, configuration, `<inhibit_rule>`.
   */
  inhibits(labels: readonly Label[]): boolean {
    return this.#rules.some(({ isSource, isTarget, equal, sources }) => {
      if (!isTarget(labels)) return false
      const hasPureSource = sources.get(valuesOf(equal, labels))
      return hasPureSource !== undefined && (hasPureSource || !isSource(labels))
    })
  }
}
