import { appendFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

/**
 * Runs in each page before its own scripts: counts key presses and clicks, and reports the time from each slow one to the
 * next paint as the browser measures it (Event Timing: in steps of 8 ms, none below 16 ms).
 */
const OBSERVE = `(() => {
  const page = crypto.getRandomValues(new Uint32Array(2)).join('');
  for (const type of ['keydown', 'pointerdown']) addEventListener(type, () => reportInteraction(null, 0), true);
  new PerformanceObserver(list => {
    for (const { interactionId, duration } of list.getEntries()) if (interactionId) reportInteraction(page + ' ' + interactionId, duration);
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
})()`

/** A file to which interactions are written, a line of JSON each; nothing is observed without it. */
const FILE = process.env['ALIDADE_TEST_INTERACTIONS']

/** Writes the interactions of a page to `ALIDADE_TEST_INTERACTIONS`, when that names a file. */
export async function watchInteractions(page: Page): Promise<void> {
  if (FILE === undefined) return
  await page.exposeFunction('reportInteraction', (id: string | null, durationMs: number) =>
    appendFileSync(FILE, `${JSON.stringify({ id, durationMs })}\n`)
  )
  await page.addInitScript({ content: OBSERVE })
}
