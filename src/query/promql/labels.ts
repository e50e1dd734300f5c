import type { Label } from '../../domain/metric-point.js'

/** The label that holds the name of a metric. */
export const NAME = '__name__'

const SEPARATOR = '\u0000'

/** Labels of a series, the metric's name among them: sorted by name, values not empty. Never changed once made. */
export class LabelSet {
  readonly labels: readonly Label[]
  #key: string | null = null

  constructor(labels: readonly Label[]) {
    this.labels = labels
  }

  /** The labels of a stored series. */
  static ofSeries(name: string, labels: readonly Label[]): LabelSet {
    return new LabelSet([...labels, ...(name === '' ? [] : [{ name: NAME, value: name }])].sort(byName))
  }

  /** Equal for equal sets. */
  get key(): string {
    return (this.#key ??= this.labels.map(({ name, value }) => name + SEPARATOR + value).join(SEPARATOR))
  }

  /** The value, or the empty text: an absent label and an empty one are the same. */
  get(name: string): string {
    return this.labels.find(label => label.name === name)?.value ?? ''
  }

  without(names: readonly string[]): LabelSet {
    const kept = this.labels.filter(({ name }) => !names.includes(name))
    return kept.length === this.labels.length ? this : new LabelSet(kept)
  }

  only(names: readonly string[]): LabelSet {
    return new LabelSet(this.labels.filter(({ name }) => names.includes(name)))
  }

  withoutName(): LabelSet {
    return this.without([NAME])
  }

  /** With the value set; an empty one removes the label. */
  with(name: string, value: string): LabelSet {
    const others = this.labels.filter(label => label.name !== name)
    return new LabelSet(value === '' ? others : [...others, { name, value }].sort(byName))
  }

  toObject(): Record<string, string> {
    const object = Object.create(null) as Record<string, string>
    for (const { name, value } of this.labels) object[name] = value
    return object
  }
}

/** Whether a label can be called this. What was no UTF-8 in the text of a query has become U+FFFD. */
export function isLabelName(name: string): boolean {
  return name !== '' && !name.includes('\ufffd')
}

function byName(a: Label, b: Label): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}

/** The order of a result's series. */
export function byLabels(a: { readonly labels: LabelSet }, b: { readonly labels: LabelSet }): number {
  return a.labels.key < b.labels.key ? -1 : 1
}

/** The empty label set. */
export const NO_LABELS = new LabelSet([])
