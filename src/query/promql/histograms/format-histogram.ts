import type { NativeHistogram } from '../../../domain/native-histogram/native-histogram.js'
import { goNumber } from '../go-number.js'
import { bucketsOf } from './buckets.js'

/** A histogram as Prometheus writes it into the label of `count_values`. */
export function formatHistogram(histogram: NativeHistogram): string {
  const buckets = bucketsOf(histogram).map(({ lower, upper, hasLower, hasUpper, count }) => {
    const [open, close] = [hasLower ? '[' : '(', hasUpper ? ']' : ')']
    return `, ${open}${goNumber(lower)},${goNumber(upper)}${close}:${goNumber(count)}`
  })
  return `{count:${goNumber(histogram.count)}, sum:${goNumber(histogram.sum)}${buckets.join('')}}`
}
