import { beforeAll, expect, it } from '@jest/globals'
import { describeStory } from '../support/describe-story.js'
import { joinAs } from '../support/second-user.js'
import type { Person } from '../support/story.js'

describeStory('from a search to an alert', story => {
  let ada: Person

  beforeAll(async () => {
    const service = story.service()
    const { api, first } = service
    const headers = { 'x-api-key': first.ingestKey }
    const at = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString()
    const logs = [30, 29, 28, 27].map(minutes => ({
      message: 'payment refused',
      level: 'error',
      service: '<img src=x onerror=alert(1)>',
      timestamp: at(minutes)
    }))
    await api('/api/v1/logs/batch?ack=searchable', { method: 'POST', headers, json: { logs } })
    ada = await story.arrive()
    await ada.page.goto(`/n/${first.namespace}/logs?level=error&q=payment`)
    await ada.signIn(first.email, first.password!)
    await ada.page
      .getByRole('row', { name: /payment refused/ })
      .first()
      .waitFor()
  })

  it('reports that there are no rules yet', async () => {
    await ada.page.goto(`/n/${story.service().first.namespace}/alerts`)
    await ada.page.getByRole('heading', { name: 'No rules yet' }).waitFor()
    await expect(ada.inspect()).resolves.toEqual([])
    await ada.page.goBack()
  })

  it('leads from a search to the form of a rule, by keyboard, and shows what it would have done', async () => {
    await ada.page.getByRole('link', { name: 'Alert on this' }).press('Enter')
    await ada.page.getByRole('heading', { level: 1, name: 'New rule' }).waitFor()
    await expect(ada.page.getByRole('textbox', { name: 'Expression' }).inputValue()).resolves.toBe('payment level:error')
    await ada.page.getByRole('textbox', { name: 'Name' }).fill('PaymentsRefused')
    await ada.page.getByRole('textbox', { name: 'One alert per' }).fill('service')
    await ada.page.getByRole('textbox', { name: 'For', exact: true }).fill('0s')
    await ada.page.keyboard.press('Tab')
    const figure = ada.page.getByRole('figure', { name: 'Would have fired' })
    await figure.getByText('Would have fired 1 time, 1 notification.').waitFor()
    await figure.getByText('service=<img src=x onerror=alert(1)>').waitFor()
    await ada.picture('alerts-new-rule')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('reports what is wrong with a condition and keeps what was typed', async () => {
    const expression = ada.page.getByRole('textbox', { name: 'Expression' })
    await expression.fill('(payment')
    await ada.page.getByRole('button', { name: 'Save' }).click()
    await ada.page
      .getByText(/parenthesis is not closed/)
      .first()
      .waitFor()
    await expect(ada.page.getByRole('textbox', { name: 'Name' }).inputValue()).resolves.toBe('PaymentsRefused')
    await expression.fill('payment level:error')
  })

  it('saves the rule and lists it', async () => {
    await ada.page.getByRole('button', { name: 'Save', disabled: false }).press('Enter')
    await ada.page.getByRole('heading', { level: 1, name: 'PaymentsRefused' }).waitFor()
    await ada.page.getByText('version 1').waitFor()
    await ada.page.getByText('every 1m in group').waitFor()
    await ada.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Alerts' }).press('Enter')
    await ada.page
      .getByRole('grid', { name: 'Alert rules' })
      .getByRole('row', { name: /(unknown|inactive) PaymentsRefused warning/ })
      .waitFor()
    await ada.picture('alerts-rules')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('changes the rule; what someone else saved meanwhile is not overwritten', async () => {
    await ada.page.getByRole('row', { name: /PaymentsRefused/ }).click()
    await ada.page.getByRole('textbox', { name: 'Threshold' }).fill('100')
    await ada.page.keyboard.press('Tab')
    await ada.page.getByText('Would not have fired.').waitFor()
    await ada.page.getByRole('button', { name: 'Save' }).click()
    await ada.page.getByText('version 2').waitFor()
    await expect(ada.page.getByRole('textbox', { name: 'Threshold' }).inputValue()).resolves.toBe('100')
    await ada.page.getByRole('button', { name: 'Turn off' }).click()
    await ada.page.getByRole('button', { name: 'Turn on' }).waitFor()
    await ada.picture('alerts-rule')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('lets a viewer look, and states who may change it', async () => {
    const { email, password } = await joinAs(story.service(), 'VIEWER', 'vera@example.test')
    const vera = await story.arrive()
    await vera.page.goto(ada.page.url())
    await vera.signIn(email, password)
    await vera.page.getByRole('heading', { level: 1, name: 'PaymentsRefused' }).waitFor()
    await expect(vera.page.getByRole('button', { name: 'Save' }).isDisabled()).resolves.toBe(true)
    await expect(vera.page.getByRole('button', { name: 'Turn on' }).getAttribute('aria-disabled')).resolves.toBe('true')
    expect(vera.faults).toEqual([])
  })

  it('deletes the rule after a confirmation', async () => {
    await ada.page.getByRole('button', { name: 'Delete' }).click()
    await ada.page.getByRole('dialog', { name: 'Delete rule' }).getByRole('button', { name: 'Delete' }).click()
    await ada.page.getByRole('heading', { name: 'No rules yet' }).waitFor()
  })

  it('silences alerts with a preview of what the silence hides', async () => {
    await ada.page.goto(`/n/${story.service().first.namespace}/alerts?view=silences`)
    await ada.page.getByRole('heading', { name: 'No silence is active' }).waitFor()
    await ada.page.getByRole('button', { name: 'New silence', disabled: false }).press('Enter')
    const dialog = ada.page.getByRole('dialog', { name: 'New silence' })
    await dialog.getByRole('textbox', { name: /^Matchers/ }).fill('alertname')
    await dialog.getByRole('textbox', { name: 'Comment' }).fill('maintenance')
    await dialog.getByRole('button', { name: 'Save', disabled: false }).press('Enter')
    await dialog.getByRole('alert').first().waitFor()
    await dialog.getByRole('textbox', { name: /^Matchers/ }).fill('alertname="Nothing"')
    await dialog.getByRole('textbox', { name: 'Comment' }).focus()
    await dialog.getByText('Matches no present alert.').waitFor()
    await dialog.getByRole('button', { name: 'Save', disabled: false }).press('Enter')
    const row = ada.page.getByRole('grid', { name: 'Silences' }).getByRole('row', { name: /alertname="Nothing" maintenance/ })
    await row.waitFor()
    await ada.picture('alerts-silences')
    await expect(ada.inspect()).resolves.toEqual([])
    await row.getByRole('button', { name: 'End now' }).click()
    await ada.page.getByRole('heading', { name: 'No silence is active' }).waitFor()
  })

  it('creates a channel whose secret is shown once, and tests it', async () => {
    await ada.page.getByRole('tab', { name: 'Channels' }).click()
    await ada.page.getByRole('button', { name: 'New channel', disabled: false }).press('Enter')
    const dialog = ada.page.getByRole('dialog', { name: 'New channel' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('pager')
    await dialog.getByRole('textbox', { name: 'URL or e-mail address' }).fill('https://hooks.example.test/alerts')
    await dialog.getByRole('button', { name: 'Save', disabled: false }).press('Enter')
    await expect(dialog.getByRole('textbox', { name: 'Secret' }).inputValue()).resolves.toMatch(/^whsec_/)
    await dialog.getByRole('button', { name: 'Done' }).press('Enter')
    await ada.page
      .getByRole('grid', { name: 'Channels' })
      .getByRole('row', { name: /pager webhook/ })
      .click()
    const detail = ada.page.getByRole('complementary', { name: 'Channel pager' })
    await detail.getByRole('button', { name: 'Test' }).click()
    await detail.getByRole('cell', { name: 'webhook.test' }).waitFor()
    await ada.picture('alerts-channels')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('sends all alerts to the channel, and reports it', async () => {
    await ada.page.getByRole('tab', { name: 'Routes' }).click()
    await ada.page.getByText('No routing is stored: no one is notified.').waitFor()
    const document = ada.page.getByRole('textbox', { name: 'Routing document' })
    const offered = await document.inputValue()
    expect(JSON.parse(offered)).toEqual({ route: { channels: ['pager'] } })
    await document.fill('{')
    await ada.page.getByRole('button', { name: 'Save', disabled: false }).press('Enter')
    await ada.page
      .getByRole('alert')
      .getByText(/The document is not JSON/)
      .waitFor()
    await document.fill(offered)
    await ada.page.getByRole('button', { name: 'Save', disabled: false }).press('Enter')
    await ada.page.getByText('Version 1. Alerts that no other route takes go to').waitFor()
    await ada.picture('alerts-routes')
    await expect(ada.inspect()).resolves.toEqual([])
    expect(ada.faults).toEqual([])
  })
})
