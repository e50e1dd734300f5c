import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { DEFAULT_WATCH_LIMITS, ServerOutage, ServerWatch } from '../../../src/stores/shared/server-watch.js'
import { ManualTime } from '../../support/manual-time.js'

const { suspectAfterMs, probeEveryMs, probeTimeoutMs } = DEFAULT_WATCH_LIMITS
const ADDRESS = 'http://store.internal:9200'

let time: ManualTime
let responses: boolean
let probes: number
let changes: (ServerOutage | null)[]
let watch: ServerWatch

beforeEach(() => {
  time = new ManualTime()
  responses = true
  probes = 0
  changes = []
  watch = new ServerWatch({
    name: 'the store',
    address: ADDRESS,
    probe: () => {
      probes++
      return responses ? Promise.resolve() : new Promise(() => undefined)
    },
    clock: time,
    timers: time,
    onChange: outage => changes.push(outage)
  })
})
afterEach(() => watch.close())

const pending = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

/** Lets one probe time out. */
async function missProbe(): Promise<void> {
  await time.dueIn(probeEveryMs)
  time.pass(probeEveryMs)
  await time.dueIn(probeTimeoutMs)
  time.pass(probeTimeoutMs)
}

describe('a watched server', () => {
  it('is not probed for requests with a quick response', async () => {
    expect(await watch.run(() => Promise.resolve('result'))).toBe('result')
    time.pass(10 * suspectAfterMs)
    expect(probes).toBe(0)
  })

  it('may take long to respond to a request as long as it responds to probes', async () => {
    let response = (_text: string): void => undefined
    const requested = watch.run(() => new Promise<string>(resolve => (response = resolve)))
    for (let passedMs = 0; passedMs < 10 * suspectAfterMs; passedMs += probeEveryMs) {
      await time.dueIn(probeEveryMs)
      time.pass(probeEveryMs)
    }
    await time.dueIn(probeEveryMs)
    response('late')
    expect(await requested).toBe('late')
    expect([probes > 0, watch.outage]).toEqual([true, null])
  })

  it('ends pending requests, and refuses new ones at once, when two probes have no response', async () => {
    responses = false
    const requested = expect(watch.run(pending)).rejects.toBeInstanceOf(ServerOutage)
    await time.dueIn(probeEveryMs)
    time.pass(suspectAfterMs - probeEveryMs)
    await missProbe()
    await missProbe()
    await requested
    const { outage } = watch
    expect(outage).toMatchObject({ code: 'store_unavailable', message: 'the store is unavailable' })
    expect(outage!.message).not.toContain(ADDRESS)
    expect(outage!.diagnosis).toContain(ADDRESS)
    await expect(watch.run(() => Promise.resolve('never'))).rejects.toBe(outage)
    expect(changes).toEqual([outage])
  })

  it('is out after one probe that health makes, and back with the first response to one', async () => {
    responses = false
    const examined = watch.examine()
    await time.dueIn(probeTimeoutMs)
    time.pass(probeTimeoutMs)
    expect(await examined).toBeInstanceOf(ServerOutage)
    responses = true
    await time.dueIn(probeEveryMs)
    time.pass(probeEveryMs)
    expect(await watch.examine()).toBeNull()
    expect(await watch.run(() => Promise.resolve('result'))).toBe('result')
    expect(changes).toHaveLength(2)
  })

  it('ends a request with the reason of its caller', async () => {
    const caller = new AbortController()
    const reason = new Error('the reader went away')
    const requested = expect(watch.run(pending, caller.signal)).rejects.toBe(reason)
    caller.abort(reason)
    await requested
  })
})
