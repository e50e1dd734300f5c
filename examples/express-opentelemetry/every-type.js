const { metrics, SpanKind, SpanStatusCode, trace } = require('@opentelemetry/api')
const { logs } = require('@opentelemetry/api-logs')

// One trace, one log and one counter with a value of every type that OpenTelemetry has; its argument marks them.
const marker = process.argv[2] ?? 'none'
const attributes = {
  marker,
  text: 'ÉCLAIR 🍰',
  yes: true,
  whole: Number.MAX_SAFE_INTEGER,
  half: 0.5,
  texts: ['a', 'b'],
  wholes: [1, 2, 3],
  empty: ''
}

const tracer = trace.getTracer('every-type', '1.2.3')
const links = []
tracer.startActiveSpan('linked', span => {
  links.push({ context: span.spanContext(), attributes: { why: 'retry' } })
  span.end()
})
tracer.startActiveSpan('parent', { kind: SpanKind.SERVER, attributes, links }, parent => {
  tracer.startActiveSpan('child', { kind: SpanKind.CLIENT }, child => {
    child.recordException(new TypeError('it broke'))
    child.setStatus({ code: SpanStatusCode.ERROR, message: 'broken' })
    child.addEvent('cache.miss', { key: 'cart:1', size: 3 })
    child.end()
  })
  logs.getLogger('every-type', '1.2.3').emit({
    severityNumber: 17,
    severityText: 'ERROR',
    body: { order: 7, lines: ['a', { b: 2 }] },
    attributes: { ...attributes, nested: { deep: { er: 1 } } }
  })
  parent.end()
})
metrics.getMeter('every-type').createCounter('every.type', { unit: 'By' }).add(3, { marker })
metrics.getMeter('every-type').createHistogram('every.duration', { unit: 's' }).record(0.25, { marker })
process.stdout.write(`${links[0].context.traceId}\n`)
// The end of the process flushes what is left, by SIGTERM as under any supervisor.
setTimeout(() => process.kill(process.pid, 'SIGTERM'), 100)
