// Loaded into the service by --import: measures the delay of the event loop from inside. SIGUSR2 starts it anew and
// writes what was measured since the last one to BENCH_PROBE_FILE.<pid>.
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 2
const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
histogram.enable()

// The histogram holds the distance of two ticks of its own timer, so an idle loop shows the resolution itself.
const delayMs = ns => Math.max(0, ns / 1e6 - RESOLUTION_MS)

process.on('SIGUSR2', () => {
  const measured = {
    p50: delayMs(histogram.percentile(50)),
    p99: delayMs(histogram.percentile(99)),
    max: delayMs(histogram.max),
    count: histogram.count
  }
  histogram.reset()
  writeFileSync(`${process.env.BENCH_PROBE_FILE}.${process.pid}`, JSON.stringify(measured))
})
