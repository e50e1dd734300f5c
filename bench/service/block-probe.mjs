// Loaded into the service by --import: measures how long the event loop is blocked, in CPU time of the main thread, so that
// a machine which others use too does not count. SIGUSR2 writes the longest block since the last one to BENCH_PROBE_FILE.<pid>.
import { readFileSync, writeFileSync } from 'node:fs'

const TICK_MS = 5
const NS_PER_MS = 1e6
// The first field is the time on a CPU in nanoseconds; the main thread has the id of the process.
const SCHEDSTAT = `/proc/self/task/${process.pid}/schedstat`
const cpuMs = () => Number(readFileSync(SCHEDSTAT, 'utf8').split(' ', 1)[0]) / NS_PER_MS

let last = cpuMs()
let longest = 0
let over100 = 0
// Between two ticks of a timer is at most one iteration of the loop that is longer than the timer.
setInterval(() => {
  const now = cpuMs()
  longest = Math.max(longest, now - last)
  if (now - last > 100) over100++
  last = now
}, TICK_MS).unref()

process.on('SIGUSR2', () => {
  const measured = { longest, over100 }
  longest = 0
  over100 = 0
  last = cpuMs()
  writeFileSync(`${process.env.BENCH_PROBE_FILE}.${process.pid}`, JSON.stringify(measured))
})
