import { beforeAll, expect, it } from '@jest/globals'
import { describeStory } from '../support/describe-story.js'
import type { Person } from '../support/story.js'

/** Values of a facet that are listed. */
const LISTED = 10

describeStory('a link to a search', story => {
  let ada: Person

  const open = (query: string): Promise<unknown> => ada.page.goto(`/n/${story.service().first.namespace}/${query}`)
  const result = () => ada.page.getByRole('status', { name: 'Result' })

  beforeAll(async () => {
    const { api, first } = story.service()
    const frequent = Array.from({ length: LISTED * 2 }, (_, i) => ({ message: 'ready', service: `service-${i % LISTED}` }))
    const logs = [...frequent, { message: 'ready', service: 'rare' }]
    await api('/api/v1/logs/batch?ack=searchable', { method: 'POST', headers: { 'x-api-key': first.ingestKey }, json: { logs } })
    ada = await story.arrive()
    await open('logs')
    await ada.signIn(first.email, first.password!)
    await result()
      .getByText(/^21 logs/)
      .waitFor()
  })

  it.each(['logs', 'traces'])('of %s that is not valid shows no results, and waits for none', async page => {
    await open(`${page}?q=service:(a`)
    await result().getByText('The query is not valid.', { exact: true }).waitFor()
    await ada.page.getByText(/parenthesis is not closed/).waitFor()
    await ada.page.getByText(/^Loading /).waitFor({ state: 'detached' })
  })

  it('does not count a chosen value as absent that is less frequent than the listed ones', async () => {
    await open('logs?service=rare&service=nothing')
    await result()
      .getByText(/^1 log ·/)
      .waitFor()
    const services = ada.page.getByRole('group', { name: 'service' })
    await services.getByText('1 with other values').waitFor()
    for (const name of ['rare –', 'nothing –'])
      await services.getByRole('checkbox', { name, exact: true, checked: true }).waitFor()
    await open('logs?level=fatal&service=nothing&service=service-1')
    await ada.page.getByRole('group', { name: 'service' }).getByRole('checkbox', { name: 'service-1 0', exact: true }).waitFor()
    expect(ada.faults).toEqual([])
  })
})
