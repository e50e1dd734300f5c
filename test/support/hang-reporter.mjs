import { readdirSync, readFileSync } from 'node:fs'

const LIMIT_MS = Number(process.env.TEST_HANG_MS ?? 600_000)

/**
 * Ends a run in which no test file has begun or ended for ten minutes (TEST_HANG_MS) and names the files that run: Jest's own
 * limit of time ends no test that keeps its process busy.
 */
export default class HangReporter {
  #running = new Set()
  #timer = null

  onRunStart() {
    this.#waitAnew()
  }

  onTestFileStart({ path }) {
    this.#running.add(path)
    this.#waitAnew()
  }

  onTestFileResult({ path }) {
    this.#running.delete(path)
    this.#waitAnew()
  }

  // What keeps the process alive after the last file hangs as well.
  onRunComplete() {
    this.#waitAnew()
    this.#timer.unref()
  }

  #waitAnew() {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#end(), LIMIT_MS)
  }

  #end() {
    const files = [...this.#running].join('\n') || 'none'
    process.stdout.write(`\nNo test file has begun or ended for ${LIMIT_MS / 1_000} s. Running:\n${files}\n`)
    try {
      // A busy process does not notice that Jest has ended.
      for (const pid of testProcesses()) process.kill(pid, 'SIGKILL')
    } finally {
      process.exit(1)
    }
  }
}

/** The processes that Jest runs test files in. */
function testProcesses() {
  const threads = readdirSync('/proc/self/task')
  const children = threads.flatMap(thread =>
    readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean)
  )
  return children.map(Number).filter(pid => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('jest-worker'))
}
