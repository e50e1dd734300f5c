import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from '@jest/globals'
import { describeStory } from '../support/describe-story.js'
import type { Person } from '../support/story.js'

const MINUTE_MS = 60_000

describeStory('the tools of a page', story => {
  let ada: Person
  const result = (text: RegExp): Promise<void> => ada.page.getByRole('status', { name: 'Result' }).getByText(text).waitFor()
  const parameter = (key: string): string | null => new URL(ada.page.url()).searchParams.get(key)

  beforeAll(async () => {
    const { api, first } = story.service()
    const at = (minutes: number): string => new Date(Date.now() - minutes * MINUTE_MS).toISOString()
    const logs = [
      ...Array.from({ length: 1_200 }, (_, i) => ({
        message: i === 900 ? '=HYPERLINK("x")' : `order ${i} placed`,
        level: 'info',
        service: 'shop',
        timestamp: at(1 + i / 30)
      })),
      ...Array.from({ length: 40 }, (_, i) => ({ message: `early ${i}`, level: 'warn', service: 'shop', timestamp: at(65 + i) }))
    ]
    await api('/api/v1/logs/batch?ack=searchable', { method: 'POST', headers: { 'x-api-key': first.ingestKey }, json: { logs } })
    ada = await story.arrive()
    await ada.page.goto(`/n/${first.namespace}/logs`)
    await ada.signIn(first.email, first.password!)
    await result(/^1,200 logs · complete/)
  })

  it('compare with the window before, as a grey line', async () => {
    await ada.page.getByRole('combobox', { name: 'Compare with' }).selectOption('window before')
    const figure = ada.page.getByRole('figure', { name: 'Logs over time' })
    await figure.getByText(/window before: 40 logs/).waitFor()
    await figure.locator('polyline').waitFor({ state: 'attached' })
    expect(parameter('cmp')).toBe('prev')
    await ada.picture('compare')
    await expect(ada.inspect()).resolves.toEqual([])
    await ada.page.reload()
    await figure.getByText(/window before: 40 logs/).waitFor()
    await ada.page.goBack()
    await figure.getByText(/window before/).waitFor({ state: 'detached' })
  })

  it('open the list around a record, newer and older ones next to it', async () => {
    await ada.page.getByRole('combobox', { name: 'Query' }).fill('HYPERLINK')
    await ada.page.getByRole('combobox', { name: 'Query' }).press('Enter')
    await ada.page.getByRole('row', { name: /HYPERLINK/ }).click()
    await ada.page.getByRole('button', { name: 'Show in the list without filters' }).click()
    await result(/^1,200 logs/)
    const record = ada.page.getByRole('row', { name: /HYPERLINK/ })
    await record.waitFor()
    expect(parameter('at')).toBe(parameter('sel'))
    await ada.page.getByRole('row', { name: /order 901 placed/ }).waitFor()
    await ada.page.getByRole('row', { name: /order 899 placed/ }).waitFor()
    await ada.page.getByRole('button', { name: 'Load newer logs' }).click()
    await expect(record.getAttribute('aria-rowindex')).resolves.not.toBeNull()
    await record.waitFor()
    await ada.page.reload()
    await record.waitFor()
    await ada.picture('around')
    await ada.page.getByRole('button', { name: 'Show the latest' }).click()
    await ada.page.getByRole('row', { name: /order 0 placed/ }).waitFor()
    await ada.page.keyboard.press('Escape')
    await ada.page.goto(`/n/${story.service().first.namespace}/logs?at=nothing`)
    await ada.page.getByText('at=nothing').waitFor()
    await ada.page.getByRole('row', { name: /order 0 placed/ }).waitFor()
  })

  it('copy the request as a command that works, and export rows without formulas', async () => {
    await ada.page.goto(`/n/${story.service().first.namespace}/logs?q=HYPERLINK`)
    await result(/^1 log /)
    const menu = ada.page.getByRole('button', { name: 'Panel menu: Logs' })
    await menu.click()
    await ada.page.getByRole('menuitem', { name: 'Copy as curl' }).click()
    await ada.page.getByText('Copied', { exact: true }).waitFor()
    const command = await ada.page.evaluate<string>('navigator.clipboard.readText()')
    expect(command).toContain('"Authorization: Bearer $TOKEN"')
    expect(command).toContain('LogRows')
    await menu.click()
    const download = ada.page.waitForEvent('download')
    await ada.page.getByRole('menuitem', { name: 'Export CSV' }).click()
    const csv = readFileSync(await (await download).path(), 'utf8')
    expect(csv).toMatch(/^id,timestamp,/)
    expect(csv).toContain(`"'=HYPERLINK(""x"")"`)
  })

  it('save a view, which opens by its name and by its link', async () => {
    await ada.page.getByRole('button', { name: 'Views' }).click()
    await ada.page.getByRole('menuitem', { name: 'Save this view…' }).click()
    const dialog = ada.page.getByRole('dialog', { name: 'Save this view' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('formulas')
    await expect(ada.inspect()).resolves.toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await ada.page.goto(`/n/${story.service().first.namespace}/logs`)
    await result(/^1,200 logs/)
    await ada.page.getByRole('button', { name: 'Views' }).click()
    await ada.page.getByRole('menuitem', { name: 'formulas' }).click()
    await result(/^1 log /)
    expect(parameter('q')).toBe('HYPERLINK')
    await ada.page.goto(`/n/${story.service().first.namespace}/otlp`)
    await ada.page.getByRole('heading', { level: 1, name: 'OTLP status' }).waitFor()
    await ada.page.keyboard.press('Control+k')
    await ada.page.getByRole('combobox', { name: 'Go to' }).fill('formul')
    await ada.page.getByRole('option', { name: 'formulas View of Logs' }).click()
    await result(/^1 log /)
    expect([parameter('q'), parameter('v')]).toEqual(['HYPERLINK', null])
    await ada.page.goto(`/n/${story.service().first.namespace}/logs?v=nothing`)
    await ada.page.getByRole('heading', { name: 'This view is not stored' }).waitFor()
  })

  it('shorten a link that is too long for a chat', async () => {
    const words = Array.from({ length: 300 }, (_, i) => `-word${i}`).join(' ')
    await ada.page.goto(`/n/${story.service().first.namespace}/logs?q=${encodeURIComponent(`HYPERLINK ${words}`)}`)
    await result(/^1 log /)
    await ada.page.getByRole('button', { name: 'Copy link' }).click()
    await ada.page.getByRole('menuitem', { name: /^Frozen/ }).click()
    await ada.page.getByText(/^Frozen link copied/).waitFor()
    const link = await ada.page.evaluate<string>('navigator.clipboard.readText()')
    expect(link.length).toBeLessThan(200)
    await ada.page.goto(link)
    await result(/^1 log /)
    expect(parameter('q')).toContain('-word299')
    expect(parameter('from')).toMatch(/^2/)
  })

  it('load nothing from elsewhere and violate no policy', () => {
    expect(ada.faults).toEqual([])
  })

  it('export all rows of the search as a file in any format, and state that it is whole', async () => {
    const { first } = story.service()
    await ada.page.goto(`/n/${first.namespace}/logs?level=info&level=unknown`)
    await result(/^1,200 logs/)
    const save = async (format: string): Promise<string> => {
      await ada.page.getByRole('button', { name: 'Export', exact: true }).click()
      if (format === 'CSV') await ada.picture('export')
      const download = ada.page.waitForEvent('download')
      await ada.page.getByRole('menuitem', { name: format, exact: true }).click()
      await ada.page.getByText('Exported 1,200 logs', { exact: true }).waitFor()
      const file = await download
      expect(file.suggestedFilename()).toBe(`logs-${first.namespace}.${format.toLowerCase()}`)
      return readFileSync(await file.path(), 'latin1')
    }
    const csv = await save('CSV')
    expect(csv).toContain(`"'=HYPERLINK(""x"")"`)
    expect(csv.trimEnd().split('\r\n')).toHaveLength(1_202)
    expect((await save('NDJSON')).trimEnd().split('\n')).toHaveLength(1_201)
    expect(await save('Parquet')).toMatch(/^PAR1[^]*PAR1$/)
    await expect(ada.inspect()).resolves.toEqual([])
  })
})
