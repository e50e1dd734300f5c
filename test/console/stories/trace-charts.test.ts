import { beforeAll, expect, it } from '@jest/globals'
import { exportOf, newSpanId, newTraceId, type SpanSent } from '../../support/otlp-spans.js'
import { describeStory } from '../support/describe-story.js'
import type { Person } from '../support/story.js'

const TRACES = 60
const SLOWEST = 17

/** A minute apart, of 20 ms and a few more; one fails after 9 s. */
function checkout(index: number, nowMs: number): SpanSent {
  const isError = index === SLOWEST
  const span = { trace: newTraceId(), id: newSpanId(), service: 'checkout', name: 'POST /checkout', kind: 2 }
  return { ...span, startMs: nowMs - 58 * 60_000 + index * 57_000, tookMs: isError ? 9_000 : 20 + (index % 7), isError }
}

describeStory('traces as pictures', story => {
  let ada: Person

  beforeAll(async () => {
    const { api, first } = story.service()
    const spans = Array.from({ length: TRACES }, (_, index) => checkout(index, Date.now()))
    await api('/api/v1/otlp/v1/traces', { method: 'POST', headers: { 'x-api-key': first.ingestKey }, json: exportOf(spans) })
    ada = await story.arrive()
    await ada.page.goto(`/n/${first.namespace}/traces`)
    await ada.signIn(first.email, first.password!)
  })

  const parameters = (): URLSearchParams => new URL(ada.page.url()).searchParams
  const view = (): ReturnType<Person['page']['getByRole']> => ada.page.getByRole('combobox', { name: 'View' })
  const cursor = (figure: string, name: string): ReturnType<Person['page']['getByRole']> =>
    ada.page.getByRole('figure', { name: figure }).getByRole('slider', { name })

  it('shows each trace as a point, and reports that these are all', async () => {
    await view().selectOption('scatter')
    await ada.page.getByText(`All ${TRACES} traces.`).waitFor()
    expect(parameters().get('view')).toBe('scatter')
    await ada.picture('traces-scatter')
    await expect(ada.inspect()).resolves.toEqual([])
  })

  it('opens the trace of a point by the keyboard, and Back shows the points again', async () => {
    const points = cursor('Traces by duration', 'Trace cursor')
    await points.focus()
    await points.press('Home')
    for (let step = 0; step < SLOWEST; step++) await points.press('ArrowRight')
    await expect(points.getAttribute('aria-valuetext')).resolves.toMatch(/, 9 s, error$/)
    await points.press('Enter')
    await ada.page.getByRole('heading', { level: 1, name: 'checkout · POST /checkout' }).waitFor()
    await ada.page.goBack()
    await ada.page.getByText(`All ${TRACES} traces.`).waitFor()
  })

  it('opens the point that is clicked', async () => {
    const points = cursor('Traces by duration', 'Trace cursor')
    await points.focus()
    await points.press('Home')
    const mark = await ada.page.locator('[class*="mark"]').boundingBox()
    await ada.page.mouse.click(mark!.x + mark!.width / 2, mark!.y + mark!.height / 2)
    await ada.page.getByRole('heading', { level: 1, name: 'checkout · POST /checkout' }).waitFor()
    await ada.page.goBack()
  })

  it('narrows to the times and durations of a cell of the heat map', async () => {
    await view().selectOption('heat map')
    const cells = cursor('Durations over time', 'Time cursor')
    await cells.focus()
    await ada.picture('traces-heatmap')
    await expect(ada.inspect()).resolves.toEqual([])
    await cells.press('End')
    // Up from the two empty rows below the shortest durations.
    for (let row = 0; row < 2; row++) await cells.press('ArrowUp')
    await expect(cells.getAttribute('aria-valuetext')).resolves.toMatch(/ms to [\d.]+ ms: \d+ spans$/)
    await cells.press('Enter')
    await ada.page.waitForURL(url => url.searchParams.get('scope') === 'span' && url.searchParams.get('max') !== null)
    expect(parameters().get('from')).toMatch(/^\d{4}-/)
    await ada.page.goBack()
  })

  it('narrows to a dragged area: the one slow trace', async () => {
    const box = (await cursor('Durations over time', 'Time cursor').boundingBox())!
    await ada.page.mouse.move(box.x + 2, box.y + 2)
    await ada.page.mouse.down()
    await ada.page.mouse.move(box.x + box.width - 2, box.y + box.height / 3, { steps: 4 })
    await ada.page.mouse.up()
    await ada.page.getByRole('status', { name: 'Result' }).getByText('1 trace · complete').waitFor()
    await view().selectOption('list')
    await ada.page.getByRole('grid', { name: 'Traces' }).getByRole('row', { name: /9 s/ }).waitFor()
    expect(parameters().get('view')).toBeNull()
  })

  it('names a view that it does not have, and shows the list', async () => {
    await ada.page.goto(`/n/${story.service().first.namespace}/traces?view=sunburst`)
    await ada.page.getByText(/sunburst/).waitFor()
    await ada.page.getByRole('grid', { name: 'Traces' }).waitFor()
  })
})
