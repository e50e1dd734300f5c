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

  /** Adds what the witnesses of a test file saw to the error of its failed case. */
  async handleTestEvent({ name, error }) {
    if (name !== 'test_fn_failure' || !(error instanceof Error)) return
    const reports = await Promise.allSettled(this.#witnesses().map(witness => witness()))
    for (const { value, reason } of reports) error.stack += `\n\n${value ?? reason}`
  }

  #witnesses() {
    return [...(globalThis[Symbol.for('alidade.test.witnesses')] ?? [])]
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
