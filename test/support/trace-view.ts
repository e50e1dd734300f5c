import type { StoredSpan } from '../../src/domain/span.js'
import { type TraceView, traceViewSteps } from '../../src/query/traces/trace-view.js'

/** The view of a trace, laid out in one go. */
export function traceView(spans: readonly StoredSpan[]): TraceView {
  const steps = traceViewSteps(spans)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
