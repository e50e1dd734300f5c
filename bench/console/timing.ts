import type { CDPSession, Page } from 'playwright-core'

const SCROLL_FRAMES = 120
const SCROLL_STEP_PX = 700
const KB = 1_000
const MB = 1_000_000

/** From the start of a navigation until the second row of the grid is in the page, in milliseconds. */
export async function untilRows(navigate: () => Promise<unknown>, page: Page): Promise<number> {
  const startedAt = performance.now()
  await navigate()
  await page.getByRole('row').nth(1).waitFor()
  return performance.now() - startedAt
}

/** Types 20 characters; milliseconds of the slowest from its event until the frame after it. */
export async function typing(page: Page): Promise<number> {
  await page.getByRole('combobox', { name: 'Query' }).focus()
  await page.evaluate(`window.waits = [];
    document.addEventListener('keydown', () => {
      const at = performance.now();
      requestAnimationFrame(() => requestAnimationFrame(() => window.waits.push(performance.now() - at)));
    }, true)`)
  await page.keyboard.type('level:error "timed ou', { delay: 60 })
  return page.evaluate<number>('Math.max(...window.waits)')
}

/** Frames per second, and the 95th percentile of the duration of a frame in milliseconds. */
export interface Scrolled {
  readonly framesPerSecond: number
  readonly p95Ms: number
}

/** Scrolls a grid by 700 px a frame. */
export function scrolling(page: Page, grid: string): Promise<Scrolled> {
  return page.evaluate<Scrolled>(`new Promise(resolve => {
    const grid = document.querySelector('[aria-label="${grid}"][tabindex="0"]');
    const startedAt = performance.now();
    const frames = [];
    let last = startedAt;
    const step = () => {
      const now = performance.now();
      frames.push(now - last);
      last = now;
      grid.scrollTop += ${SCROLL_STEP_PX};
      if (grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 1) grid.scrollTop = 0;
      if (frames.length < ${SCROLL_FRAMES}) return requestAnimationFrame(step);
      frames.sort((a, b) => a - b);
      resolve({
        framesPerSecond: frames.length / ((now - startedAt) / 1000),
        p95Ms: frames[Math.floor(frames.length * 0.95)]
      });
    };
    requestAnimationFrame(step);
  })`)
}

/** Scrolls to the end of a grid until it has so many rows. */
export async function loadRows(page: Page, grid: string, rows: number, rowHeightPx: number): Promise<void> {
  await page.evaluate(`new Promise(resolve => {
    const grid = document.querySelector('[aria-label="${grid}"][tabindex="0"]');
    const step = () => {
      if (grid.scrollHeight >= ${rows * rowHeightPx}) { grid.scrollTop = 0; return resolve(); }
      grid.scrollTop = grid.scrollHeight;
      requestAnimationFrame(step);
    };
    step();
  })`)
}

/** Heap of the page after a collection, in MB. */
export async function heapMb(developer: CDPSession): Promise<number> {
  await developer.send('HeapProfiler.collectGarbage')
  const { usedSize } = await developer.send('Runtime.getHeapUsage')
  return usedSize / MB
}

/** Bytes of all responses that arrive while `work` runs, in kB as sent. */
export async function receivedKb(developer: CDPSession, work: () => Promise<unknown>): Promise<number> {
  let bytes = 0
  const count = ({ encodedDataLength }: { readonly encodedDataLength: number }): void => {
    bytes += encodedDataLength
  }
  await developer.send('Network.enable')
  developer.on('Network.loadingFinished', count)
  await work()
  developer.off('Network.loadingFinished', count)
  return bytes / KB
}

/** From a click on a button until the frame after the page has drawn, in milliseconds. */
export function clickToPaint(page: Page, button: string): Promise<number> {
  return page.evaluate<number>(`new Promise(resolve => {
    const button = [...document.querySelectorAll('button')].find(one => one.textContent.startsWith('${button}'));
    const startedAt = performance.now();
    button.click();
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - startedAt)));
  })`)
}
