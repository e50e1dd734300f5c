import type { AlertRuleContent } from '../../domain/alerts/alert-rule.js'
import type { VectorElement } from '../../domain/alerts/alert-state.js'
import type { Label } from '../../domain/metric-point.js'
import type { FoundAlert } from './advance.js'
import { fingerprintOf } from './fingerprint.js'
import { MAX_INSTANCES } from './limits.js'
import { ExpansionBudget, LABEL_BOUNDS } from './template/expansion-budget.js'
import { Template } from './template/template.js'
import { TemplateError } from './template/template-error.js'

/** What an evaluation needs besides the rule. */
export interface RuleContext {
  /** Limit of its group; null and 0 for `MAX_INSTANCES`. */
  readonly limit: number | null
  /** Address of the console, for templates. */
  readonly externalUrl: string
  /** `external_labels` of Prometheus, for templates of unit tests. */
  readonly externalLabels?: ReadonlyMap<string, string>
}

interface NamedTemplate {
  readonly name: string
  /** The parsed template, or why it cannot be parsed. */
  readonly template: Template | TemplateError
}

type AlertIdentity = Pick<FoundAlert, 'fingerprint' | 'labels'>

const ALERT_NAME = 'alertname'
/** Label of the instance of a rule as a whole: `nodata` or `error`. It keeps the instance apart from all elements. */
export const REASON = 'alert_reason'

/** A rule whose templates are parsed. One is made for many evaluations of a version of a rule. */
export class PreparedRule {
  readonly content: AlertRuleContent
  readonly limit: number
  readonly #context: RuleContext
  readonly #labels: readonly NamedTemplate[]
  readonly #annotations: readonly NamedTemplate[]
  /** Identities of elements by their own labels; null when they depend on more than these. */
  readonly #identities: WeakMap<readonly Label[], AlertIdentity> | null

  constructor(content: AlertRuleContent, context: RuleContext) {
    this.content = content
    this.limit = context.limit === null || context.limit === 0 ? MAX_INSTANCES : context.limit
    this.#context = context
    this.#labels = content.labels.map(namedTemplate)
    this.#annotations = content.annotations.map(namedTemplate)
    const isOfLabels = this.#labels.every(({ template }) => template instanceof Template && template.dependsOnLabelsAlone)
    this.#identities = isOfLabels ? new WeakMap() : null
  }

  /** The alerts of elements, in their order, with expanded labels and annotations. */
  alertsOf(elements: readonly VectorElement[], atMs: number): readonly FoundAlert[] {
    const budget = new ExpansionBudget()
    return elements.map(element => this.#alert(element, element.labels, atMs, budget))
  }

  /** The alert of the rule as a whole; templates see no labels and a value that is not a number. */
  wholeAlert(reason: 'nodata' | 'error', atMs: number): FoundAlert {
    const element = { labels: [], value: Number.NaN }
    const alert = this.#alert(element, [{ name: REASON, value: reason }], atMs, new ExpansionBudget())
    return { ...alert, value: null }
  }

  #alert(element: VectorElement, own: readonly Label[], atMs: number, budget: ExpansionBudget): FoundAlert {
    const { fingerprint, labels } = this.#identity(element, own, atMs)
    const annotations = this.#annotations.map(({ name, template }) => {
      return { name, value: this.#expand(template, element, atMs, budget) }
    })
    return { fingerprint, labels, annotations, value: element.value }
  }

  /** A backtest has the same series at thousands of times: the labels of each are expanded once. */
  #identity(element: VectorElement, own: readonly Label[], atMs: number): AlertIdentity {
    const known = this.#identities?.get(own)
    if (known !== undefined) return known
    const budget = new ExpansionBudget(LABEL_BOUNDS)
    const labels = new Map(own.map(({ name, value }) => [name, value] as const))
    const { severity, name: alertName } = this.content
    if (severity !== null) labels.set('severity', severity)
    for (const { name, template } of this.#labels) labels.set(name, this.#expand(template, element, atMs, budget))
    labels.set(ALERT_NAME, alertName)
    const sorted = [...labels].filter(([, value]) => value !== '').sort(([a], [b]) => (a < b ? -1 : 1))
    const all = sorted.map(([name, value]) => ({ name, value }))
    const identity = { fingerprint: fingerprintOf(all), labels: all }
    this.#identities?.set(own, identity)
    return identity
  }

  /** A template that fails does not keep an alert from firing. Source: Prometheus, rules/alerting.go. */
  #expand(template: Template | TemplateError, element: VectorElement, atMs: number, budget: ExpansionBudget): string {
    const { externalUrl, externalLabels = new Map<string, string>() } = this.#context
    try {
      if (template instanceof TemplateError) throw template
      return template.expand({ element, externalUrl, externalLabels, atMs }, budget)
    } catch (error) {
      if (error instanceof TemplateError) return `<error expanding template: ${error.message}>`
      throw error
    }
  }
}

function namedTemplate({ name, value }: Label): NamedTemplate {
  try {
    return { name, template: new Template(value) }
  } catch (error) {
    if (error instanceof TemplateError) return { name, template: error }
    throw error
  }
}
