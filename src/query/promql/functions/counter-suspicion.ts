import type { RawSeries } from '../evaluate/values.js'
import type { CellFunction } from '../evaluate/windows.js'
import { goQuoted } from '../go-quote.js'
import { NAME } from '../labels.js'
import type { RangeReport } from './range-report.js'

const OF_COUNTERS: ReadonlySet<string> = new Set(['rate', 'increase'])
const COUNTER_NAME = /_(?:total|sum|count|bucket)$/

/**
 * The function of a range, telling once it gives numbers that the metric might not be a counter: where neither its name nor,
 * other than in Prometheus, what is known of its type says that it is one.
 */
export function withSuspicion(
  name: string,
  { labels, isCounter = false }: RawSeries,
  run: CellFunction,
  { notes, position }: Omit<RangeReport, 'name'>
): CellFunction {
  const metric = labels.get(NAME)
  if (!OF_COUNTERS.has(name) || isCounter || metric === '' || COUNTER_NAME.test(metric)) return run
  let isTold = false
  return (window, step) => {
    const cell = run(window, step)
    if (!isTold && typeof cell === 'number') {
      isTold = true
      const sentence = 'metric might not be a counter, name does not end in _total/_sum/_count/_bucket:'
      notes.inform(`${sentence} ${goQuoted(metric)}`, position)
    }
    return cell
  }
}
