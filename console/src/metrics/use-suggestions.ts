import { useMemo } from 'react'
import { MetricLabelsDocument } from '../api/generated/MetricLabels.js'
import { MetricNamesDocument } from '../api/generated/MetricNames.js'
import { useRequest } from '../api/use-request.js'
import { plural } from '../format/number.js'
import { useNamespace } from '../url/use-address.js'
import { usePageWindow } from '../url/use-window.js'
import { type CompletionPoint, FUNCTIONS } from './completion.js'
import { promLabel, selector } from '../query/promql-selector.js'

/** A suggestion: what it is called, and what it writes in place of the word before the caret. */
export interface Suggestion {
  readonly name: string
  readonly insert: string
  readonly detail: string
}

const MAX_SUGGESTIONS = 12

/** Suggestions at a point; the former ones while the next are read, empty where nothing is completed. */
export function useSuggestions(point: CompletionPoint | null): readonly Suggestion[] {
  const namespace = useNamespace()
  const { window } = usePageWindow()
  const isMetric = point?.kind === 'metric'
  const names = useRequest(
    MetricNamesDocument,
    { contains: point?.prefix ?? '', range: window, first: MAX_SUGGESTIONS, after: null },
    { namespace, enabled: isMetric }
  )
  const metric = point?.kind === 'label' ? point.metric : null
  const labels = useRequest(
    MetricLabelsDocument,
    { metric: metric ?? '', range: window },
    { namespace, enabled: metric !== null }
  )
  return useMemo(() => {
    if (point === null) return []
    const isMatch = (name: string): boolean => name.toLowerCase().includes(point.prefix.toLowerCase())
    if (point.kind === 'label') {
      const found = (labels.data?.metricLabels ?? []).filter(({ name }) => isMatch(name))
      return found.slice(0, MAX_SUGGESTIONS).map(({ name, cardinality }) => {
        return { name, insert: promLabel(name), detail: plural(cardinality, 'value') }
      })
    }
    const functions = point.isQuoted ? [] : FUNCTIONS.filter(name => name.startsWith(point.prefix))
    const metrics = (names.data?.metrics?.nodes ?? []).filter(({ name }) => isMatch(name))
    return [
      ...metrics.map(({ name, kind }) => ({ name, insert: point.isQuoted ? name : selector(name), detail: kind.toLowerCase() })),
      ...functions.map(name => ({ name, insert: name, detail: 'function' }))
    ].slice(0, MAX_SUGGESTIONS)
  }, [point, names.data, labels.data])
}
