import { beforeAll, it } from '@jest/globals'
import type { RunningService } from '../../support/running-service.js'
import { beginTour } from '../support/begin-tour.js'
import { describeStory } from '../support/describe-story.js'
import type { PageStates, Places, StateTour } from '../support/page-states.js'

/** Five states, each in two themes at two widths. */
const PAGE_MS = 60_000

const PAGES: readonly PageStates[] = [
  {
    name: 'alerts-rules',
    path: 'alerts',
    empty: page => page.getByRole('heading', { name: 'No rules yet' }),
    full: page => page.getByRole('grid', { name: 'Alert rules' }).getByRole('row', { name: /CheckoutErrors/ }),
    partial: 'stale',
    names: [
      ['button', 'New rule'],
      ['group', 'State'],
      ['columnheader', 'Rule'],
      ['tab', 'History']
    ]
  },
  {
    name: 'alerts-slos',
    path: 'alerts?view=slos',
    empty: page => page.getByRole('heading', { name: 'No SLOs yet' }),
    full: page => page.getByRole('grid', { name: 'SLOs' }).getByRole('row', { name: /checkout-availability/ }),
    partial: 'stale',
    names: [
      ['button', 'New SLO'],
      ['columnheader', 'Budget left']
    ]
  },
  {
    name: 'alerts-silences',
    path: 'alerts?view=silences',
    empty: page => page.getByRole('heading', { name: 'No silence is active' }),
    full: page => page.getByRole('grid', { name: 'Silences' }).getByRole('row').nth(1),
    partial: 'stale',
    names: [['button', 'New silence']]
  },
  {
    name: 'alerts-routes',
    path: 'alerts?view=routes',
    empty: null,
    full: page => page.getByRole('region', { name: 'Routes' }).getByRole('textbox'),
    partial: 'stale',
    names: [['tab', 'Routes']]
  },
  {
    name: 'alerts-channels',
    path: 'alerts?view=channels',
    empty: page => page.getByRole('heading', { name: 'No channels yet' }),
    full: page => page.getByRole('grid', { name: 'Channels' }).getByRole('row', { name: /ops/ }),
    partial: 'stale',
    names: [['button', 'New channel']]
  }
]

/** A rule, an SLO, a silence, a channel and a routing, by the service's operator. */
async function makeAlerts(service: RunningService): Promise<void> {
  const headers = await service.login()
  const send = async (request: string, json: object): Promise<void> => {
    const [method = '', path = ''] = request.split(' ')
    const response = await service.api(path, { method, headers, json })
    if (response.status >= 300) throw new Error(`${request}: ${response.text}`)
  }
  const endsAt = new Date(Date.now() + 3_600_000).toISOString()
  await send('POST /api/v1/alerts/rules', { alert: 'CheckoutErrors', expr: 'vector(1)', severity: 'critical' })
  await send('POST /api/v1/slos', {
    ...{ name: 'checkout-availability', service: 'checkout', objective: 99.9 },
    indicator: { availability: {} }
  })
  await send('POST /api/v1/silences', { matchers: ['alertname="CheckoutErrors"'], ends_at: endsAt, comment: 'maintenance' })
  await send('POST /api/v1/channels', { name: 'ops', kind: 'webhook', target: 'https://receiver.invalid/hook' })
  await send('PUT /api/v1/routing', { version: 0, document: { route: { channels: ['ops'], group_by: ['alertname'] } } })
}

describeStory('pages of alerts in their five states', story => {
  let tour: StateTour
  let places: Places

  beforeAll(async () => {
    const begun = await beginTour(story, makeAlerts)
    tour = begun.tour
    places = begun.places
  }, PAGE_MS)

  it.each(PAGES.map(states => [states.name, states] as const))('%s', (_name, states) => tour.visit(states, places), PAGE_MS)
})
