import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { freePort } from '../../../bench/service/free-port.js'
import { describeWithProgram } from '../../support/programs.js'
import { type RunningService, startService } from '../../support/running-service.js'
import { openTempFolder } from '../../support/temp-folder.js'
import { launchBrowser, Person } from '../support/story.js'

describeWithProgram('chromium', 'a page in trouble', path => {
  let browser: Browser
  let folder: Awaited<ReturnType<typeof openTempFolder>>
  let service: RunningService
  let ada: Person
  let port: string
  let password: string

  const start = (): Promise<RunningService> => startService({ dataDir: folder.path, flags: ['--port', port] })
  const result = (text: RegExp): Promise<void> => ada.page.getByRole('status', { name: 'Result' }).getByText(text).waitFor()

  beforeAll(async () => {
    ;[browser, folder, port] = await Promise.all([launchBrowser(path), openTempFolder(), freePort().then(String)])
    service = await start()
    password = service.first.password!
    const logs = Array.from({ length: 5 }, (_, i) => ({ message: `order ${i} placed`, level: 'info', service: 'shop' }))
    await service.api('/api/v1/logs/batch?ack=searchable', {
      method: 'POST',
      headers: { 'x-api-key': service.first.ingestKey },
      json: { logs }
    })
    ada = await Person.arrive(browser, service.url)
    await ada.page.goto('/')
    await ada.signIn(service.first.email, password)
    await result(/^5 logs · complete/)
  })
  afterAll(async () => {
    await ada?.leave()
    await browser?.close()
    await service?.close()
    await folder?.remove()
  })

  describe('when the service is away', () => {
    it('keeps the last rows, reports it, and returns by itself', async () => {
      await service.close()
      await ada.page.getByRole('button', { name: 'Refresh', exact: true }).click()
      await ada.page.getByRole('alert').getByText('Connection lost').waitFor()
      await ada.page.getByRole('row', { name: /order 4 placed/ }).waitFor()
      await ada.picture('connection-lost')
      await expect(ada.inspect()).resolves.toEqual([])
      service = await start()
      await result(/^5 logs · complete/)
      await ada.page.getByText('Connection lost').waitFor({ state: 'detached' })
    })
  })

  describe('when the service is away and a page is requested whose code was not loaded', () => {
    it('stays, reports it, and goes on to the page when the service is back', async () => {
      await ada.page.evaluate('isSameDocument = true')
      await service.close()
      await ada.page.getByRole('link', { name: 'Metrics' }).click()
      await ada.page.getByRole('alert').getByText('Connection lost').waitFor()
      await ada.page.getByRole('row', { name: /order 4 placed/ }).waitFor()
      await ada.picture('page-not-loaded')
      service = await start()
      await ada.page.getByRole('heading', { level: 1, name: 'Metrics' }).waitFor()
      await ada.page.getByText('Connection lost').waitFor({ state: 'detached' })
      await expect(ada.page.evaluate('isSameDocument')).resolves.toBe(true)
      await ada.page.goBack()
      await result(/^5 logs · complete/)
    })
  })

  describe('when one request fails', () => {
    it('reports why in its panel, with the request id, and leaves the others', async () => {
      await ada.page.route('**/graphql', async route => {
        if (!route.request().postData()!.includes('LogSummary')) return route.continue()
        const body = {
          data: null,
          errors: [{ message: 'the query took longer than 30 s', extensions: { code: 'query_timeout' } }]
        }
        return route.fulfill({ status: 200, headers: { 'x-request-id': 'request-7' }, json: body })
      })
      await ada.page.getByRole('combobox', { name: 'Query' }).fill('placed')
      await ada.page.getByRole('button', { name: 'Search', exact: true }).click()
      const alert = ada.page.getByRole('alert').filter({ hasText: 'The query took longer than 30 s.' })
      await alert.getByText('Request request-7').waitFor()
      await ada.page.getByRole('row', { name: /order 4 placed/ }).waitFor()
      await ada.page.unroute('**/graphql')
      await alert.getByRole('button', { name: 'Retry' }).click()
      await alert.waitFor({ state: 'detached' })
      await result(/^5 logs · complete/)
    })

    it('can be cancelled while it takes long, and read again', async () => {
      await ada.page.route('**/graphql', async route => {
        if (!route.request().postData()!.includes('LogRows')) await route.continue()
      })
      await ada.page.getByRole('combobox', { name: 'Query' }).fill('placed order')
      await ada.page.getByRole('button', { name: 'Search', exact: true }).click()
      // Both have a place of their own: a click on one of them never meets the other.
      const refresh = ada.page.getByRole('button', { name: 'Refresh', exact: true })
      await ada.page.getByRole('button', { name: 'Cancel', exact: true }).waitFor()
      await refresh.waitFor()
      await ada.page.getByRole('button', { name: 'Cancel', exact: true }).click()
      // The filters may have been on their way, too.
      const results = ada.page.getByRole('region', { name: 'Results' })
      const alert = results.getByRole('alert').filter({ hasText: 'You cancelled this request.' })
      await alert.waitFor()
      await expect(refresh.evaluate(element => element === element.ownerDocument.activeElement)).resolves.toBe(true)
      await ada.page.getByRole('row', { name: /order 4 placed/ }).waitFor()
      await ada.picture('cancelled')
      await ada.page.unroute('**/graphql')
      await alert.getByRole('button', { name: 'Retry' }).click()
      await result(/^5 logs · complete/)
    })

    it('waits as long as the service states before it repeats a read', async () => {
      let refused = 0
      await ada.page.route('**/graphql', async route => {
        if (!route.request().postData()!.includes('LogRows') || refused++ > 0) return route.continue()
        const problem = { status: 429, code: 'rate_limited', detail: 'too many queries', retryable: true }
        return route.fulfill({ status: 429, headers: { 'retry-after': '2' }, json: problem })
      })
      await ada.page.getByRole('combobox', { name: 'Query' }).fill('order')
      await ada.page.getByRole('button', { name: 'Search', exact: true }).click()
      await ada.page.waitForURL(url => url.searchParams.get('q') === 'order')
      await result(/^5 logs · complete/)
      expect(refused).toBe(2)
      await ada.page.unroute('**/graphql')
    })
  })

  describe('when the session is over', () => {
    it('requests the password over the page, and goes on where it was', async () => {
      await ada.page.context().clearCookies()
      let isOver = true
      await ada.page.route('**/graphql', async route => {
        if (!isOver) return route.continue()
        const problem = { status: 401, code: 'expired_credential', detail: 'the credential has expired', retryable: false }
        return route.fulfill({ status: 401, json: problem })
      })
      await ada.page.getByRole('combobox', { name: 'Query' }).fill('"order 4"')
      await ada.page.getByRole('button', { name: 'Search', exact: true }).click()
      const dialog = ada.page.getByRole('dialog', { name: 'Sign in' })
      await dialog.waitFor()
      await ada.picture('session-over')
      await expect(ada.inspect()).resolves.toEqual([])
      isOver = false
      await dialog.getByLabel('Password').fill(password)
      await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
      await result(/^1 log · complete/)
      expect(ada.faults).toEqual([])
    })
  })
})
