import { describe, expect, it } from '@jest/globals'
import { EventSource, MAX_EVENTS_READ } from '../../../src/alerting/evaluate/read/event-source.js'
import type { ServiceEvent } from '../../../src/domain/service-event.js'
import type { ServiceEventRequest } from '../../../src/ports/service-events.js'
import { namespace } from '../../contract/control-fixtures.js'
import { element } from '../../support/alert-rules.js'

const NS = namespace('shop')
const CONDITION = { kind: 'event', type: 'deploy', service: null, environment: 'prod', windowMs: 10 } as const

function event(atMs: number, changes: Partial<ServiceEvent> = {}): ServiceEvent {
  return {
    ...{ namespaceId: NS.id, id: `${atMs}`, type: 'deploy', atMs, service: 'api', version: '1', environment: 'prod' },
    ...{ title: null, url: null, attributes: [], ...changes }
  }
}

describe('events of services', () => {
  it('are counted by service, version and environment in windows with exclusive ends, by one read', async () => {
    const requests: ServiceEventRequest[] = []
    const events = [event(20), event(11), event(10, { version: null }), event(9)]
    const source = new EventSource({
      list: async (_, request) => {
        requests.push(request)
        return events
      }
    })
    const api = { environment: 'prod', event: 'deploy', service: 'api' }
    expect(await source.snapshots(NS, CONDITION, [20, 21, 40])).toEqual([
      { hasData: true, elements: [element({ ...api, version: '1' }), element(api)] },
      { hasData: true, elements: [element({ ...api, version: '1' }, 2)] },
      { hasData: true, elements: [] }
    ])
    expect(requests).toEqual([
      { fromMs: 10, toMs: 40, types: ['deploy'], service: undefined, environment: 'prod', limit: MAX_EVENTS_READ + 1 }
    ])
  })

  it('have host and path as labels when the service found them, and no other attributes', async () => {
    const attributes = ['host', 'lines', 'path'].map(name => ({ name, value: name }))
    const labels = async (type: string): Promise<unknown> => {
      const events = [event(15, { type, version: null, environment: null, attributes })]
      const [snapshot] = await new EventSource({ list: async () => events }).snapshots(NS, { ...CONDITION, type }, [20])
      return snapshot!.elements
    }
    expect(await labels('log.gap')).toEqual([element({ event: 'log.gap', host: 'host', path: 'path', service: 'api' })])
    expect(await labels('deploy')).toEqual([element({ event: 'deploy', service: 'api' })])
  })

  it('are an error when the window has too many of them', async () => {
    const of = (count: number) => new EventSource({ list: async () => Array.from({ length: count }, () => event(5)) })
    const [all] = await of(MAX_EVENTS_READ).snapshots(NS, CONDITION, [10])
    expect(all!.elements.map(({ value }) => value)).toEqual([MAX_EVENTS_READ])
    await expect(of(MAX_EVENTS_READ + 1).snapshots(NS, CONDITION, [10])).rejects.toThrow('more than 2000 events')
  })
})
