import { beforeAll, expect, it } from '@jest/globals'
import { exportOf, newSpanId, newTraceId } from '../../support/otlp-spans.js'
import { describeStory } from '../support/describe-story.js'
import type { Person } from '../support/story.js'

const TRACE = newTraceId()
const ROOT = newSpanId()

/** Five presses on the element in focus, faster than frames: as a held key under load. */
const FIVE_PRESSES = `for (let press = 0; press < 5; press++)
  document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true, cancelable: true }))`

describeStory('the width of a detail', story => {
  let ada: Person

  const panel = (name: string) => ada.page.getByRole('complementary', { name })
  const edge = (name: string) => ada.page.getByRole('separator', { name: `Width of ${name}` })
  const widthOf = async (name: string): Promise<number> => Math.round((await panel(name).boundingBox())!.width)
  const bound = async (name: string, attribute: 'min' | 'max'): Promise<number> =>
    Number(await edge(name).getAttribute(`aria-value${attribute}`))

  beforeAll(async () => {
    const { api, first } = story.service()
    const headers = { 'x-api-key': first.ingestKey }
    const startMs = Date.now() - 60_000
    const spans = exportOf([
      { trace: TRACE, id: ROOT, service: 'checkout', name: 'POST /checkout', kind: 2, startMs, tookMs: 90 }
    ])
    await api('/api/v1/otlp/v1/traces', { method: 'POST', headers, json: spans })
    const logs = [{ message: 'charge timed out', service: 'payment', timestamp: new Date(startMs).toISOString() }]
    await api('/api/v1/logs/batch?ack=searchable', { method: 'POST', headers, json: { logs } })
    ada = await story.arrive()
    await ada.page.goto(`/n/${first.namespace}/logs`)
    await ada.signIn(first.email, first.password!)
    await ada.page.getByRole('row', { name: /charge timed out/ }).click()
    await panel('Log detail').waitFor()
  })

  it('follows a drag of its edge, up to its bounds', async () => {
    const before = await widthOf('Log detail')
    const { x, y, width } = (await edge('Log detail').boundingBox())!
    await ada.page.mouse.move(x + width / 2, y + 200)
    await ada.page.mouse.down()
    await ada.page.mouse.move(x + width / 2 - 60, y + 200)
    expect(Math.abs((await widthOf('Log detail')) - before - 60)).toBeLessThanOrEqual(width)
    await ada.page.mouse.move(0, y + 200)
    expect(await widthOf('Log detail')).toBe(await bound('Log detail', 'max'))
    await ada.page.mouse.move(1_440, y + 200)
    await ada.page.mouse.up()
    expect(await widthOf('Log detail')).toBe(320)
    await ada.page.mouse.move(700, y + 200)
    expect(await widthOf('Log detail')).toBe(320)
  })

  it('follows the arrow keys, Home and End', async () => {
    await edge('Log detail').focus()
    await ada.page.evaluate(FIVE_PRESSES)
    expect(await widthOf('Log detail')).toBe(320 + 5 * 24)
    await ada.page.keyboard.press('ArrowRight')
    expect(await widthOf('Log detail')).toBe(320 + 4 * 24)
    // The next frame has the value.
    await ada.page.locator(`[role=separator][aria-valuenow="${320 + 4 * 24}"]`).waitFor()
    await ada.page.keyboard.press('Home')
    expect(await widthOf('Log detail')).toBe(await bound('Log detail', 'max'))
    await ada.page.keyboard.press('End')
    expect(await widthOf('Log detail')).toBe(await bound('Log detail', 'min'))
    await ada.page.keyboard.press('ArrowLeft')
    await ada.picture('log-detail-narrow')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('is the same after a reload and for every detail, until a double click', async () => {
    await ada.page.reload()
    await panel('Log detail').waitFor()
    expect(await widthOf('Log detail')).toBe(344)
    await ada.page.goto(`/n/${story.service().first.namespace}/traces/${TRACE}?span=${ROOT}`)
    await panel('Span detail').waitFor()
    expect(await widthOf('Span detail')).toBe(344)
    await edge('Span detail').dblclick()
    expect(await widthOf('Span detail')).toBeGreaterThan(344)
    await ada.page.reload()
    await panel('Span detail').waitFor()
    expect(await widthOf('Span detail')).toBeGreaterThan(344)
  })

  it('leaves the list its place in a smaller window', async () => {
    await edge('Span detail').focus()
    await ada.page.keyboard.press('Home')
    await ada.page.setViewportSize({ width: 1_100, height: 900 })
    const grid = ada.page.getByRole('treegrid', { name: 'Spans' })
    expect((await grid.boundingBox())!.width).toBeGreaterThan(400)
    await ada.page.setViewportSize({ width: 800, height: 900 })
    await edge('Span detail').waitFor({ state: 'hidden' })
    expect(await widthOf('Span detail')).toBe(800)
    expect(ada.faults).toEqual([])
  })
})
