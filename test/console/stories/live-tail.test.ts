import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { freePort } from '../../../bench/service/free-port.js'
import { describeWithProgram } from '../../support/programs.js'
import { type RunningService, startService } from '../../support/running-service.js'
import { openTempFolder } from '../../support/temp-folder.js'
import { launchBrowser, Person } from '../support/story.js'

describeWithProgram('chromium', 'a live tail', path => {
  let browser: Browser
  let folder: Awaited<ReturnType<typeof openTempFolder>>
  let service: RunningService
  let ada: Person
  let port: string
  let ingestKey: string
  const sockets: string[] = []

  const start = (): Promise<RunningService> => startService({ dataDir: folder.path, flags: ['--port', port] })
  const send = async (...messages: readonly string[]): Promise<void> => {
    const logs = messages.map(message => ({ message, level: 'info', service: 'shop' }))
    const headers = { 'x-api-key': ingestKey }
    const response = await service.api('/api/v1/logs/batch?ack=searchable', { method: 'POST', headers, json: { logs } })
    expect(response.status).toBe(200)
  }
  const row = (message: string) =>
    ada.page.getByRole('grid', { name: 'Logs' }).getByRole('row', { name: new RegExp(`${message}$`) })
  const states = (text: RegExp): Promise<void> => ada.page.getByRole('status', { name: 'Live tail' }).getByText(text).waitFor()

  beforeAll(async () => {
    ;[browser, folder, port] = await Promise.all([launchBrowser(path), openTempFolder(), freePort().then(String)])
    service = await start()
    ingestKey = service.first.ingestKey
    ada = await Person.arrive(browser, service.url)
    ada.page.on('websocket', socket => sockets.push(socket.url()))
    await ada.page.goto(`/n/${service.first.namespace}/logs`)
    await ada.signIn(service.first.email, service.first.password!)
    // The page reads again by itself.
    await ada.page.getByText('Waiting for the first logs…').waitFor()
    await send('before the tail')
    await row('before the tail').waitFor()
  })
  afterAll(async () => {
    await ada?.leave()
    await browser?.close()
    await service?.close()
    await folder?.remove()
  })

  describe('in the console', () => {
    it('shows logs as they are sent, latest last, under an address of its own', async () => {
      const button = ada.page.getByRole('button', { name: 'Live tail' })
      await button.click()
      await states(/^Following/)
      await expect(button.getAttribute('aria-pressed')).resolves.toBe('true')
      expect(new URL(ada.page.url()).searchParams.get('live')).toBe('1')
      await send('one', 'two')
      await row('two').waitFor()
      await send('three')
      await row('three').waitFor()
      const rows = ada.page.getByRole('grid', { name: 'Logs' }).getByRole('row')
      const time = ada.page.getByRole('columnheader', { name: 'Time' })
      await expect(time.getAttribute('aria-sort')).resolves.toBe('ascending')
      const cells = (await rows.allTextContents()).map(text => /(one|two|three)$/.exec(text)?.[1]).filter(Boolean)
      expect(cells).toEqual(['one', 'two', 'three'])
      await ada.picture('live-tail')
      await expect(ada.inspect()).resolves.toEqual([])
    })

    it('is paused and continued by Space', async () => {
      await ada.page.keyboard.press('Escape')
      await ada.page.evaluate('document.activeElement?.blur?.()')
      await ada.page.keyboard.press(' ')
      await states(/^Paused/)
      await send('four', 'five')
      await ada.page.getByRole('button', { name: '2 new' }).waitFor()
      await expect(row('five').count()).resolves.toBe(0)
      await ada.page.keyboard.press(' ')
      await row('five').waitFor()
      await states(/^Following/)
    })

    it('stops following when a person scrolls up, until they want the new ones', async () => {
      await send(...Array.from({ length: 100 }, (_, i) => `line ${i}`))
      await row('line 99').waitFor()
      await ada.page.getByRole('grid', { name: 'Logs' }).hover()
      await ada.page.mouse.wheel(0, -1_000)
      await states(/^Not following/)
      await send('six')
      const button = ada.page.getByRole('button', { name: '1 new' })
      await button.waitFor()
      await ada.picture('live-tail-held')
      await expect(ada.inspect()).resolves.toEqual([])
      await button.click()
      await row('six').waitFor()
      await states(/^Following/)
    })

    it('stops following when text is selected', async () => {
      await row('six').getByRole('gridcell').last().selectText()
      await states(/^Not following/)
      await ada.page.evaluate('document.getSelection().removeAllRanges()')
      await ada.page.getByRole('button', { name: '0 new' }).click()
      await states(/^Following/)
    })

    it('reports when the service is away, returns by itself, and shows each log once', async () => {
      await service.close()
      await states(/^Connection lost/)
      await row('six').waitFor()
      await ada.picture('live-tail-lost')
      await expect(ada.inspect()).resolves.toEqual([])
      service = await start()
      await send('seven')
      await row('seven').waitFor()
      await states(/Reconnected; no log is missing/)
      await send('eight')
      await row('eight').waitFor()
      for (const message of ['six', 'seven', 'eight']) await expect(row(message).count()).resolves.toBe(1)
      await ada.page.getByText(/^108 logs$/).waitFor()
    })

    it('goes on under the filter of the address, which a link restores', async () => {
      await ada.page.getByRole('combobox', { name: 'Query' }).fill('matching')
      await ada.page.getByRole('button', { name: 'Search', exact: true }).click()
      await ada.page.getByRole('heading', { name: 'Waiting for the next log' }).waitFor()
      await states(/^Following/)
      await send('unrelated', 'matching')
      await row('matching').waitFor()
      await expect(row('unrelated').count()).resolves.toBe(0)
      await ada.page.reload()
      await states(/^Following/)
      await ada.page.getByRole('button', { name: 'Live tail' }).click()
      await row('matching').waitFor()
      expect(new URL(ada.page.url()).searchParams.get('live')).toBeNull()
    })

    it('opens sockets of its own origin alone, without a violation of the policy', () => {
      expect(sockets.length).toBeGreaterThan(1)
      expect(new Set(sockets)).toEqual(new Set([`ws://127.0.0.1:${port}/graphql`]))
      expect(ada.faults).toEqual([])
    })
  })
})
