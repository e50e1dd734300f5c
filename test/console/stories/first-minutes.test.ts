import { expect, it } from '@jest/globals'
import { describeStory } from '../support/describe-story.js'
import { ResponseGate } from '../support/response-gate.js'
import type { Person } from '../support/story.js'

describeStory('the first minutes', story => {
  let ada: Person

  it('reports how to send the first log, with a key made in place', async () => {
    const { first } = story.service()
    ada = await story.arrive()
    await ada.page.goto('/')
    await ada.signIn(first.email, first.password!)
    await ada.page.getByRole('heading', { name: 'No logs are stored in this namespace yet' }).waitFor()
    await ada.page.getByRole('button', { name: 'Create an ingest key' }).click()
    await ada.page.getByText('The command has a new ingest key').waitFor()
    await ada.picture('no-logs-yet')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('shows the log that the command sends, by itself, also when it arrives between two requests', async () => {
    const gate = await ResponseGate.open(ada.page, /query LogNewest\b/)
    await gate.set('hold')
    await ada.page.waitForResponse(response => response.request().postData()?.includes('query LogRows') === true)
    const command = await ada.page.getByRole('region', { name: 'Command' }).locator('pre').textContent()
    const [, url, key, json] = /^curl '(.+?)' -H 'X-API-Key: (.+?)' .* -d '(.+)'$/.exec(command!)!
    const response = await fetch(`${url}?ack=searchable`, {
      method: 'POST',
      headers: { 'x-api-key': key!, 'content-type': 'application/json' },
      body: json!
    })
    expect(response.status).toBe(200)
    await gate.set('pass')
    await ada.page.getByRole('row', { name: /hello/ }).waitFor()
  })

  it('reports that the newest log is elsewhere, and goes there', async () => {
    await ada.page.getByRole('button', { name: /^Time range/ }).click()
    const dialog = ada.page.getByRole('dialog', { name: 'Time range' })
    await dialog.getByRole('textbox', { name: 'From' }).fill('now-3h')
    await dialog.getByRole('textbox', { name: 'To' }).fill('now-2h')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await ada.page.getByRole('heading', { name: 'No logs in this window' }).waitFor()
    await ada.page.getByRole('button', { name: 'Go there' }).click()
    await ada.page.getByRole('row', { name: /hello/ }).waitFor()
    await ada.page.getByRole('button', { name: 'Undo zoom' }).click()
    await ada.page.getByRole('heading', { name: 'No logs in this window' }).waitFor()
  })

  it('reports that the filter excludes all logs, and removes it', async () => {
    await ada.page.goto(`/n/${story.service().first.namespace}/logs?service=absent&view=loud&from=yesterday`)
    await ada.page.getByRole('heading', { name: 'No logs match this filter' }).waitFor()
    await ada.page.getByRole('list', { name: 'Conditions' }).getByText('1 log').waitFor()
    await ada.page.getByText('view=loud').waitFor()
    await ada.page.getByText('from=yesterday').waitFor()
    await ada.picture('no-match')
    await ada.page.getByRole('button', { name: 'Remove the filter' }).click()
    await ada.page.getByRole('row', { name: /hello/ }).waitFor()
    expect(ada.faults).toEqual([])
  })
})
