import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { describeWhere } from '../support/programs.js'
import { openTempFolder } from '../support/temp-folder.js'
import { AgentProcess } from './agent-process.js'
import { CrashSite } from './crash-site.js'
import { hasJournald, RealJournald } from './real-journald.js'

interface Stream {
  readonly kind: string
  readonly gaps: readonly { readonly reason: string; readonly lines: number | null }[]
}

const GIVE_UP_MS = 60_000
const ROUNDS = 5
const LINES = 200

/** Lines that no other test writes. */
const numbered = (from: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `numbered ${String(from + i).padStart(6, '0')}`)

const TITLE = 'a real journal that is written while agent and service are killed'

describeWhere(hasJournald(), 'systemd-journald', TITLE, () => {
  const journald = new RealJournald(`alidade-test-${process.pid}`)
  let folder: Awaited<ReturnType<typeof openTempFolder>>
  let site: CrashSite
  let agent: AgentProcess

  beforeAll(async () => {
    folder = await openTempFolder()
    await journald.start()
    await journald.write(['before the agent'])
    site = await CrashSite.open(join(folder.path, 'data'))
    const { port, apiKey } = site.target
    const stateDir = join(folder.path, 'state')
    const config = {
      agent: { url: `http://127.0.0.1:${port}`, api_key: apiKey, host: 'journal-host', state_dir: stateDir },
      metrics: { enabled: false },
      logs: { batch_size: 20, interval: '100ms', journald: { namespace: journald.namespace } }
    }
    const path = join(folder.path, 'agent.yaml')
    await writeFile(path, JSON.stringify(config))
    agent = new AgentProcess(path, stateDir)
    agent.start()
    await agent.looked(1)
  }, GIVE_UP_MS)
  afterAll(async () => {
    await agent?.stop('SIGKILL')
    await site?.service.stop('SIGKILL')
    await journald.remove()
    await folder?.remove()
  })

  /** Messages of the records, in their order, when the agent has delivered all of the journal. */
  async function messages(): Promise<readonly string[]> {
    await agent.delivered('journald:' + journald.namespace, await journald.lastNumber())
    const body = { query: 'numbered', service: 'shop', host: undefined, start: 'now-1h', limit: 5_000, order: 'asc' }
    const { logs } = await site.session.call<{ logs: { message: string }[] }>('POST', '/api/v1/logs/query', body)
    return logs.map(({ message }) => message)
  }

  async function streams(): Promise<readonly Stream[]> {
    return (await site.session.call<{ streams: readonly Stream[] }>('GET', '/api/v1/streams')).streams
  }

  it('is stored entry by entry, each once and in its order', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await journald.write(numbered(round * LINES, LINES))
      await agent.stop('SIGKILL')
      if (round % 2 === 1) {
        await site.service.stop('SIGKILL')
        await site.start()
      }
      agent.start()
    }
    expect(await messages()).toEqual(numbered(0, ROUNDS * LINES))
    expect(await streams()).toMatchObject([{ kind: 'journald', gaps: [] }])
  }, 180_000)

  it('has a gap where it was vacuumed while no agent ran', async () => {
    await agent.stop('SIGTERM')
    await journald.write(numbered(ROUNDS * LINES, 10))
    await journald.vacuum()
    await journald.write(numbered(ROUNDS * LINES + 10, 10))
    agent.start()
    const all = await messages()
    expect(all.slice(ROUNDS * LINES)).toEqual(numbered(ROUNDS * LINES + 10, 10))
    const [stream, ...others] = await streams()
    expect(others).toEqual([])
    expect(stream!.gaps).toMatchObject([{ reason: 'journal_vacuumed' }])
    // Those ten, and what journald wrote of itself.
    expect(stream!.gaps[0]!.lines).toBeGreaterThanOrEqual(10)
  }, 120_000)
})
