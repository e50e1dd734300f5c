import type { StoredSpan } from '../../src/domain/span.js'
import { type SpanTree, spanTreeSteps, type TreeSpan } from '../../src/query/traces/span-tree.js'
import { type TraceView, traceViewSteps } from '../../src/query/traces/trace-view.js'

/** Runs a computation without a pause. */
export function inOneGo<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** The view of a trace, laid out in one go. */
export function traceView(spans: readonly StoredSpan[]): TraceView {
  return inOneGo(traceViewSteps(spans))
}

/** The tree of a trace, made in one go. */
export function spanTree<S extends TreeSpan>(spans: readonly S[]): SpanTree<S> {
  return inOneGo(spanTreeSteps(spans))
}
