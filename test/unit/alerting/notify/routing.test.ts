import { describe, expect, it } from '@jest/globals'
import { Inhibitions } from '../../../../src/alerting/notify/route/inhibitions.js'
import {
  MAX_INHIBITIONS,
  MAX_ROUTE_DEPTH,
  MAX_ROUTES,
  MAX_ROUTING_BYTES,
  NO_ROUTING,
  parseRouting
} from '../../../../src/alerting/notify/route/parse-routing.js'
import { RouteTree } from '../../../../src/alerting/notify/route/routing.js'
import type { Label } from '../../../../src/domain/metric-point.js'

function repeated(count: number, item: object): readonly object[] {
  return Array.from({ length: count }, () => item)
}

function labels(values: Readonly<Record<string, string>>): readonly Label[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }))
}

function taken(document: object, values: Readonly<Record<string, string>>): readonly (readonly [string, readonly string[]])[] {
  const tree = new RouteTree(parseRouting(document).root)
  return tree.groupsOf(labels(values)).map(({ key, route }) => [key, route.channels])
}

const TEAMS = {
  route: {
    channels: ['all'],
    routes: [
      {
        matchers: ['team="db"'],
        channels: ['db'],
        routes: [{ matchers: ['severity="page"'], channels: ['phone'], group_by: [] }]
      },
      { matchers: ['severity="page"'], channels: ['duty'], continue: true },
      { matchers: ['severity=~"page|warn"'], channels: ['mail'], group_by: ['...'] }
    ]
  }
}

describe('the routing tree', () => {
  it('takes the deepest matching route, and siblings only where it continues', () => {
    expect(taken(TEAMS, { team: 'db', severity: 'page' })).toEqual([['{}/{team="db"}/{severity="page"}:{}', ['phone']]])
    expect(taken(TEAMS, { alertname: 'A', team: 'db' })).toEqual([['{}/{team="db"}:{alertname="A"}', ['db']]])
    expect(taken(TEAMS, { alertname: 'A', severity: 'page' })).toEqual([
      ['{}/{severity="page"}:{alertname="A"}', ['duty']],
      ['{}/{severity=~"page|warn"}:{alertname="A",severity="page"}', ['mail']]
    ])
    expect(taken(TEAMS, { alertname: 'A' })).toEqual([['{}:{alertname="A"}', ['all']]])
  })

  it('inherits what a route does not set, and numbers equal routes', () => {
    const { root } = parseRouting({
      route: {
        channels: ['a'],
        group_wait: '0s',
        group_interval: '1m',
        repeat_interval: '1h',
        group_by: ['host'],
        routes: [
          { matchers: ['x="1"'], mute_times: ['nights'] },
          { matchers: ['x="1"'], group_wait: '10s', channels: [] }
        ]
      }
    })
    expect(root.routes[0]).toMatchObject({
      ...{ channels: ['a'], groupWaitMs: 0, groupIntervalMs: 60_000, repeatIntervalMs: 3_600_000, groupBy: ['host'] },
      ...{ muteTimes: ['nights'], continues: false, key: '{}/{x="1"}' }
    })
    expect(root.routes[1]).toMatchObject({ channels: [], groupWaitMs: 10_000, muteTimes: [], key: '{}/{x="1"}#2' })
  })

  it('sends no one anything before it is set', () => {
    expect(NO_ROUTING.root).toMatchObject({
      channels: [],
      groupWaitMs: 30_000,
      groupIntervalMs: 300_000,
      repeatIntervalMs: 14_400_000
    })
    expect(parseRouting({})).toEqual(NO_ROUTING)
  })

  it.each([
    [{ routes: [] }, 'document.routes'],
    [{ route: [] }, 'document.route'],
    [{ route: { matchers: ['a="b"'] } }, 'document.route.matchers'],
    [{ route: { channel: 'a' } }, 'document.route.channel'],
    [{ route: { channels: 'a' } }, 'document.route.channels'],
    [{ route: { channels: [''] } }, 'document.route.channels.0'],
    [{ route: { group_by: ['...', 'a'] } }, 'document.route.group_by'],
    [{ route: { group_wait: 30 } }, 'document.route.group_wait'],
    [{ route: { group_wait: '2h' } }, 'document.route.group_wait'],
    [{ route: { group_interval: '9s' } }, 'document.route.group_interval'],
    [{ route: { repeat_interval: '59s' } }, 'document.route.repeat_interval'],
    [{ route: { continue: 'yes' } }, 'document.route.continue'],
    [{ route: { routes: [{ matchers: [1] }] } }, 'document.route.routes.0.matchers.0'],
    [{ route: { routes: [{ matchers: ['a'] }] } }, 'document.route.routes.0.matchers.0'],
    [{ inhibit: [{ source: ['a="b"'] }] }, 'document.inhibit.0.target'],
    [{ inhibit: [{ source: ['a="b"'], target: ['a="c"'], equal: [1] }] }, 'document.inhibit.0.equal.0']
  ])('refuses %j at %s', (document, field) => {
    expect(() => parseRouting(document)).toThrow(expect.objectContaining({ code: 'invalid_field', field }))
  })

  it('is bounded in routes, depth, inhibitions and bytes', () => {
    const wide = (routes: number): object => ({ route: { routes: repeated(routes - 1, {}) } })
    expect(() => parseRouting(wide(MAX_ROUTES))).not.toThrow()
    expect(() => parseRouting(wide(MAX_ROUTES + 1))).toThrow('the limit is 200 routes')
    const deep = (levels: number): object => (levels === 0 ? {} : { routes: [deep(levels - 1)] })
    expect(() => parseRouting({ route: deep(MAX_ROUTE_DEPTH) })).not.toThrow()
    expect(() => parseRouting({ route: deep(MAX_ROUTE_DEPTH + 1) })).toThrow('more than 10 levels')
    const inhibit = (rules: number): object => ({ inhibit: repeated(rules, { source: ['a="b"'], target: ['a="c"'] }) })
    expect(() => parseRouting(inhibit(MAX_INHIBITIONS))).not.toThrow()
    expect(() => parseRouting(inhibit(MAX_INHIBITIONS + 1))).toThrow('exceeds 100 elements (got 101)')
    const large = { route: { routes: repeated(40, { matchers: [`a="${'x'.repeat(1_700)}"`] }) } }
    expect(() => parseRouting(large)).toThrow(`exceeds ${MAX_ROUTING_BYTES} bytes of JSON`)
    const regexes = { route: { routes: repeated(11, { matchers: ['a=~"[x]{990}"'] }) } }
    expect(() => parseRouting(regexes)).toThrow('10000 characters in total')
  })
})

describe('inhibitions', () => {
  const rules = parseRouting({
    inhibit: [{ source: ['severity="critical"'], target: ['severity=~"warning|critical"'], equal: ['host', 'site'] }]
  }).inhibit
  const inhibits = (firing: readonly Readonly<Record<string, string>>[], values: Readonly<Record<string, string>>): boolean =>
    new Inhibitions(rules, firing.map(labels)).inhibits(labels(values))

  it('hide targets while a source fires that has equal labels', () => {
    const warning = { severity: 'warning', host: 'a' }
    expect(inhibits([warning], warning)).toBe(false)
    expect(inhibits([warning, { severity: 'critical', host: 'a' }], warning)).toBe(true)
    expect(inhibits([warning, { severity: 'critical', host: 'b' }], warning)).toBe(false)
    // Labels that both lack are equal, as in Alertmanager.
    expect(inhibits([{ severity: 'critical', host: 'a', site: '' }], warning)).toBe(true)
    expect(inhibits([{ severity: 'critical', host: 'a' }], { severity: 'info', host: 'a' })).toBe(false)
  })

  it('do not let alerts that match both sides hide each other or themselves', () => {
    const critical = { severity: 'critical', host: 'a' }
    expect(inhibits([critical], critical)).toBe(false)
    expect(inhibits([critical, { ...critical, alertname: 'other' }], critical)).toBe(false)
  })
})
