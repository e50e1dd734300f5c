import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { attemptEach } from '../../src/domain/attempt-each.js'
import type { MonitoredJobs } from '../../src/telemetry/background-jobs.js'
import { LOG_AGAIN_MS, monitorJobs } from '../../src/telemetry/background-jobs.js'
import { createSelfMetrics } from '../../src/telemetry/self-metrics.js'
import { ManualTime } from '../support/manual-time.js'

interface Line {
  readonly level: string
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

let clock: ManualTime
let lines: Line[]
let jobs: MonitoredJobs

beforeEach(() => {
  clock = new ManualTime()
  lines = []
  const at =
    (level: string) =>
    (fields: object, message: string): void =>
      void lines.push({ level, message, fields: { ...fields } })
  jobs = monitorJobs({ clock, logger: { info: at('info'), warn: at('warn'), error: at('error') } })
})

const failing = (message: string) => async (): Promise<void> => {
  throw new Error(message)
}
const done = async (): Promise<void> => undefined

describe('a background job that fails', () => {
  it('is logged with its name and the cause, and rejects no one', async () => {
    await jobs.run('retention', failing('disk full'))
    expect(lines).toEqual([
      {
        level: 'warn',
        message: 'background job failed',
        fields: {
          job: 'retention',
          failures: 1,
          failing_since: new Date(clock.nowMs()).toISOString(),
          err: new Error('disk full')
        }
      }
    ])
  })

  it('counts as failing from the second failure in a row on, until it succeeds', async () => {
    const since = clock.nowMs()
    await jobs.run('retention', failing('down'))
    expect(jobs.failing()).toEqual([])
    clock.pass(1_000)
    await jobs.run('retention', failing('down'))
    expect(jobs.failing()).toEqual([{ job: 'retention', failures: 2, failuresInARow: 2, failingSinceMs: since }])
    await jobs.run('retention', done)
    expect(jobs.failing()).toEqual([])
    expect(jobs.states()).toEqual([{ job: 'retention', failures: 2, failuresInARow: 0, failingSinceMs: null }])
    expect(lines.map(({ level, message }) => [level, message])).toEqual([
      ['warn', 'background job failed'],
      ['error', 'background job failed repeatedly'],
      ['info', 'background job recovered']
    ])
  })

  it('is logged once a minute while it fails in the same way, and at once when it fails in another', async () => {
    for (let i = 0; i < 10; i++) await jobs.run('sweep', failing('down'))
    expect(lines).toHaveLength(2)
    await jobs.run('sweep', failing('disk full'))
    expect(lines).toHaveLength(3)
    clock.pass(LOG_AGAIN_MS)
    await jobs.run('sweep', failing('down'))
    expect(lines.at(-1)).toMatchObject({ fields: { failures: 12, err: new Error('down') } })
  })

  it('does not succeed when a part of it reported a failure', async () => {
    const partly = async (): Promise<void> => jobs.monitor('retention').failed(new Error('one namespace'), { namespace: 'a' })
    await jobs.run('retention', partly)
    await jobs.run('retention', partly)
    expect(jobs.failing()).toMatchObject([{ job: 'retention', failuresInARow: 2 }])
    expect(lines[0]).toMatchObject({ fields: { namespace: 'a' } })
  })

  it('is counted in the metrics by its name', async () => {
    const gaugesJob = jobs.monitor('store_gauges')
    const metrics = createSelfMetrics('1', { gauges: async () => ({}), jobs: () => jobs.states(), gaugesJob })
    await jobs.run('retention', failing('down'))
    await jobs.run('retention', done)
    await jobs.run('sweep', failing('down'))
    for (let scrape = 0; scrape < 2; scrape++) {
      const { text } = await metrics.scrape()
      expect(text).toContain('alidade_background_job_failures_total{job="retention"} 1\n')
      expect(text).toContain('alidade_background_job_failures_total{job="store_gauges"} 0\n')
      expect(text).toContain('alidade_background_job_failures_in_a_row{job="retention"} 0\n')
      expect(text).toContain('alidade_background_job_failures_in_a_row{job="sweep"} 1\n')
    }
  })
})

describe('a job that is repeated', () => {
  beforeEach(() => {
    jest.useFakeTimers()
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  it('goes on after a failure, never overlaps itself, and ends when it is stopped', async () => {
    let runs = 0
    let release = (): void => undefined
    const repeated = jobs.repeat('sweep', 1_000, async () => {
      if (++runs === 1) throw new Error('down')
      if (runs === 2) await new Promise<void>(resolve => (release = resolve))
    })
    await jest.advanceTimersByTimeAsync(10_000)
    expect([runs, jobs.states()[0]!.failures]).toEqual([2, 1])
    release()
    await jest.advanceTimersByTimeAsync(1_000)
    expect(runs).toBe(3)
    await repeated.stop()
    await jest.advanceTimersByTimeAsync(10_000)
    expect(runs).toBe(3)
  })
})

describe('steps of a job', () => {
  it('all run when one fails, and every failure is reported', async () => {
    const ran: string[] = []
    const step = (name: string, fails: boolean) => async (): Promise<void> => {
      ran.push(name)
      if (fails) throw new Error(`${name} failed`)
    }
    await expect(attemptEach([step('a', true), step('b', false), step('c', true)])).rejects.toThrow('a failed; c failed')
    await expect(attemptEach([step('d', true), step('e', false)])).rejects.toThrow('d failed')
    await attemptEach([step('f', false)])
    expect(ran).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })
})
