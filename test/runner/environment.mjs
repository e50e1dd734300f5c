import { ModernFakeTimers } from '@jest/fake-timers'
import { ModuleMocker } from 'jest-mock'

/** The process itself. What a test file changes in it for its own sake is undone after it. */
export default class SharedEnvironment {
  global = globalThis
  moduleMocker = new ModuleMocker(globalThis)
  fakeTimers = null
  fakeTimersModern
  #environment = { ...process.env }
  #console = Object.getOwnPropertyDescriptor(globalThis, 'console')
  #exit = Object.getOwnPropertyDescriptor(process, 'exit')

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis })
  }

  async setup() {}

  /** Adds the reports of the test file (test/support/failure-reports.ts) to the error of its failed case. */
  async handleTestEvent({ name, error }) {
    if (name !== 'test_fn_failure' || !(error instanceof Error)) return
    const reports = [...(globalThis[Symbol.for('alidade.test.failureReports')] ?? [])]
    const texts = await Promise.allSettled(reports.map(report => report()))
    for (const { value, reason } of texts) error.stack += `\n\n${value ?? reason}`
  }

  async teardown() {
    this.fakeTimersModern.dispose()
    Object.defineProperty(globalThis, 'console', this.#console)
    Object.defineProperty(process, 'exit', this.#exit)
    for (const name of Object.keys(process.env)) if (!(name in this.#environment)) delete process.env[name]
    Object.assign(process.env, this.#environment)
  }

  exportConditions() {
    return ['node', 'node-addons']
  }

  /** Nothing runs in a context of its own. */
  getVmContext() {
    return null
  }
}
