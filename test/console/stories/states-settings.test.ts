import { beforeAll, it } from '@jest/globals'
import type { RunningService } from '../../support/running-service.js'
import { beginTour } from '../support/begin-tour.js'
import { describeStory } from '../support/describe-story.js'
import type { PageStates, Places, StateTour } from '../support/page-states.js'

/** Five states, each in two themes at two widths. */
const PAGE_MS = 60_000

const PAGES: readonly PageStates[] = [
  {
    name: 'services',
    path: 'services',
    empty: page => page.getByRole('heading', { name: 'Nothing yet: no agent has reported a listening port' }),
    full: page => page.getByRole('grid', { name: 'Listeners' }).getByRole('row', { name: /postgres/ }),
    partial: 'stale',
    names: [
      ['columnheader', 'Port'],
      ['button', 'Panel menu: Listeners']
    ]
  },
  {
    name: 'hosts',
    path: 'hosts',
    empty: page => page.getByRole('heading', { name: 'Nothing yet: no host has sent anything' }),
    full: page => page.getByRole('grid', { name: 'Hosts' }).getByRole('row', { name: /node-5/ }),
    partial: 'cut',
    names: [
      ['status', 'Result'],
      ['columnheader', 'CPU']
    ]
  },
  {
    name: 'host',
    path: 'hosts/node-5',
    empty: page => page.getByRole('heading', { name: 'Nothing names this host' }),
    full: page => page.getByRole('figure', { name: 'CPU' }),
    partial: 'cut',
    names: [
      ['heading', 'node-5'],
      ['link', 'Open logs'],
      ['button', 'Panel menu: Usage']
    ]
  },
  {
    name: 'otlp',
    path: 'otlp',
    empty: page => page.getByRole('heading', { name: 'No OTLP request has arrived since the start of this gateway' }),
    full: page => page.getByRole('row', { name: /traces http\/json receiving/ }),
    partial: 'stale',
    names: [
      ['button', 'Send a test span'],
      ['status', 'Result']
    ]
  },
  {
    name: 'settings-general',
    path: 'settings/general',
    empty: null,
    full: page => page.getByRole('region', { name: 'Your role' }),
    partial: 'stale',
    names: [['button', 'Create namespace']]
  },
  {
    name: 'settings-members',
    path: 'settings/members',
    empty: null,
    full: page => page.getByRole('grid', { name: 'Members' }).getByRole('row').nth(1),
    partial: 'stale',
    names: [['button', 'Invite member']]
  },
  {
    name: 'settings-keys',
    path: 'settings/keys',
    empty: page => page.getByRole('heading', { name: 'No keys yet' }),
    full: page => page.getByRole('grid', { name: 'Keys' }).getByRole('row').nth(1),
    partial: 'stale',
    names: [['button', 'Create key']]
  },
  {
    name: 'settings-retention',
    path: 'settings/retention',
    empty: null,
    full: page => page.getByRole('region', { name: 'Retention' }),
    partial: 'stale',
    names: [['button', 'Save']]
  },
  {
    name: 'settings-measures',
    path: 'settings/measures',
    empty: page => page.getByRole('heading', { name: 'No saved measures yet' }),
    full: page => page.getByRole('grid', { name: 'Saved measures' }).getByRole('row').nth(1),
    partial: 'stale',
    names: [['columnheader', 'State']]
  },
  {
    name: 'settings-usage',
    path: 'settings/usage',
    empty: page => page.getByRole('heading', { name: 'Nothing has arrived in these days' }),
    full: page => page.getByRole('table', { name: 'Usage by signal' }),
    partial: 'stale',
    names: [['combobox', 'Days']]
  },
  {
    name: 'settings-audit',
    path: 'settings/audit',
    empty: null,
    full: page => page.getByRole('grid', { name: 'Audit entries' }).getByRole('row').nth(1),
    partial: 'stale',
    names: [['region', 'Audit log']]
  }
]

/** What an agent reports of a host of the shop. */
async function reportListener({ api, first }: RunningService): Promise<void> {
  const listeners = [{ protocol: 'tcp', address: '0.0.0.0', port: 5432, process: 'postgres' }]
  const json = {
    name: 'node-5',
    interval_s: 60,
    agent: { version: '0.1.0', started_at: new Date().toISOString(), sources: [] },
    listeners
  }
  const response = await api('/api/v1/hosts/machine-5', { method: 'PUT', headers: { 'x-api-key': first.ingestKey }, json })
  if (response.status !== 200) throw new Error(response.text)
}

async function saveMeasure(service: RunningService): Promise<void> {
  const headers = { ...(await service.login()), 'x-namespace-id': service.first.namespaceId }
  const response = await service.api('/api/v1/measures', { method: 'POST', headers, json: { name: 'all_logs', fn: 'count' } })
  if (response.status !== 200) throw new Error(response.text)
}

describeStory('pages of infrastructure and settings in their five states', story => {
  let tour: StateTour
  let places: Places

  beforeAll(async () => {
    const begun = await beginTour(story, async service => {
      await reportListener(service)
      await saveMeasure(service)
    })
    tour = begun.tour
    places = begun.places
  }, PAGE_MS)

  it.each(PAGES.map(states => [states.name, states] as const))('%s', (_name, states) => tour.visit(states, places), PAGE_MS)

  it(
    'settings-account',
    () =>
      tour.view('settings-account/full', 'settings/account', page => page.getByRole('table', { name: 'Memberships' }), places),
    PAGE_MS
  )
})
