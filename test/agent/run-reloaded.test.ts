import { describe, expect, it } from '@jest/globals'
import { type AgentConfig, ConfigError } from '../../agent/src/config/config.js'
import { runReloaded } from '../../agent/src/run-reloaded.js'

const configOf = (url: string): AgentConfig => ({ url }) as AgentConfig

/** An agent that runs until it is reloaded with the next of `urls`; errors are configurations that cannot be read. */
async function run(urls: readonly (string | Error)[], refused: readonly string[] = []): Promise<readonly string[]> {
  const events: string[] = []
  const stop = new AbortController()
  const left = [...urls]
  let reload: () => void = () => undefined
  await runReloaded({
    first: configOf('first'),
    read: () => {
      const next = left.shift()!
      if (next instanceof Error) throw next
      return configOf(next)
    },
    run: async ({ url }, signal) => {
      events.push(`runs ${url}`)
      if (refused.includes(url)) throw new ConfigError(`${url} is refused`)
      while (!signal.aborted) {
        if (left.length > 0) reload()
        else stop.abort()
      }
      events.push(`ended ${url}`)
    },
    onReload: listener => {
      reload = listener
      return () => (reload = () => events.push('not heard'))
    },
    log: (event, { err }) => events.push(err === undefined ? event : `${event}: ${err as string}`),
    signal: stop.signal
  })
  return events
}

describe('an agent whose configuration is read again', () => {
  it('runs with the new one', async () => {
    expect(await run(['second'])).toEqual([
      'runs first',
      'ended first',
      'configuration read again',
      'runs second',
      'ended second'
    ])
  })

  it('goes on with the old one where the new one cannot be read', async () => {
    const events = ['runs first', 'configuration refused: logs is not a section', 'ended first']
    expect(await run([new ConfigError('logs is not a section')])).toEqual(events)
  })

  it('runs the old one again where the service refuses the new one', async () => {
    expect(await run(['second'], ['second'])).toEqual([
      'runs first',
      'ended first',
      'configuration read again',
      'runs second',
      'configuration refused: second is refused',
      'runs first',
      'ended first'
    ])
  })

  it('ends where the first one is refused, and where reading fails for another reason', async () => {
    await expect(run([], ['first'])).rejects.toThrow('first is refused')
    await expect(run([new TypeError('a fault')])).rejects.toThrow('a fault')
  })
})
