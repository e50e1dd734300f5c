import type { RawSeries } from '../evaluate/values.js'
import type { CellFunction } from '../evaluate/windows.js'
import { goQuoted } from '../go-quote.js'
import { NAME } from '../labels.js'
import type { RangeReport } from './range-report.js'

const OF_COUNTERS: ReadonlySet<string> = new Set(['rate', 'increase'])
const COUNTER_NAME = /_(?:total|sum|count|bucket)$/

/**
 * A function of a range that notes, when it first gives a number, that the metric might not be a counter. It does so where
 * the metric's name does not say that it is one, nor its type, which Prometheus does not look at.
 */
export function withSuspicion(
  name: string,
  { labels, isCounter = false }: RawSeries,
  run: CellFunction,
  { notes, position }: Omit<RangeReport, 'name'>
): CellFunction {
  const metric = labels.get(NAME)
  if (!OF_COUNTERS.has(name) || isCounter || metric === '' || COUNTER_NAME.test(metric)) return run
  let isReported = false
  return (window, step) => {
    const cell = run(window, step)
    if (!isReported && typeof cell === 'number') {
      isReported = true
      const sentence = 'metric might not be a counter, name does not end in _total/_sum/_count/_bucket:'
      notes.inform(`${sentence} ${goQuoted(metric)}`, position)
    }
    return cell
  }
}
