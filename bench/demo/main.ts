import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { nextSteps } from './next-steps.js'
import { DEMO_USAGE, parseDemoOptions } from './options.js'
import type { DemoOptions } from './options.js'
import { DemoSender } from './sender.js'
import type { Emission } from './shop.js'
import { Shop } from './shop.js'
import { chapterAt, lastIncident, LIVE_STARTS_AT } from './story.js'

const SEED = 20_26
const BACKFILL_CHUNK_SECONDS = 60

function progress(label: string, sender: DemoSender): void {
  const { logs, points, rum, errors, spans } = sender.sent
  const line = `${label.padEnd(34)} logs ${logs}  points ${points}  page views ${rum}  errors ${errors}  traced calls ${spans}`
  process.stdout.write(process.stdout.isTTY ? `\r${line}` : `${line}\n`)
}

async function backfill(shop: Shop, sender: DemoSender, fromSeconds: number, options: DemoOptions): Promise<void> {
  const story = (unixSeconds: number): number => unixSeconds - fromSeconds - options.backfillSeconds + LIVE_STARTS_AT
  for (let done = 0; done < options.backfillSeconds; done += BACKFILL_CHUNK_SECONDS) {
    const chunk: Emission[] = []
    const end = Math.min(done + BACKFILL_CHUNK_SECONDS, options.backfillSeconds)
    for (let at = fromSeconds + done; at < fromSeconds + end; at++) chunk.push(shop.second(at, story(at)))
    await sender.send(chunk, false)
    progress(`backfill ${Math.round(end / 60)} of ${Math.round(options.backfillSeconds / 60)} min`, sender)
  }
  process.stdout.write('\n')
}

async function live(shop: Shop, sender: DemoSender, fromSeconds: number, options: DemoOptions): Promise<void> {
  const ends = fromSeconds + options.seconds
  let lastChapter = ''
  for (let at = fromSeconds; at < ends; at++) {
    const wait = (at + 1) * 1000 - Date.now()
    if (wait > 0) await sleep(wait)
    const story = at - fromSeconds + LIVE_STARTS_AT
    await sender.send([shop.second(at, story)], true)
    const { name, release } = chapterAt(story)
    if (process.stdout.isTTY || at % 10 === 0 || name !== lastChapter) progress(`live: ${name}, release ${release}`, sender)
    if (name !== lastChapter && lastChapter !== '') process.stdout.write('\n')
    lastChapter = name
  }
  process.stdout.write('\n')
}

/** The newest incident of the backfill. */
function incidentBefore(nowSeconds: number): { readonly start: string; readonly end: string } {
  const { beganAgo, endedAgo } = lastIncident(LIVE_STARTS_AT)
  const at = (secondsAgo: number): string => new Date((nowSeconds - secondsAgo) * 1000).toISOString()
  return { start: at(beganAgo), end: at(endedAgo) }
}

async function main(argv: readonly string[]): Promise<void> {
  if (argv.includes('--help')) {
    process.stdout.write(DEMO_USAGE)
    return
  }
  const options = parseDemoOptions(argv, process.env, path => readFileSync(path, 'utf8'))
  const sender = new DemoSender(options, options.apiKey)
  const shop = new Shop(SEED)
  const nowSeconds = Math.floor(Date.now() / 1000)
  await backfill(shop, sender, nowSeconds - options.backfillSeconds, options)
  process.stdout.write(nextSteps(options.url, incidentBefore(nowSeconds)))
  if (options.seconds > 0) await live(shop, sender, nowSeconds, options)
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : ''
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}${cause}\n`)
  process.exitCode = 1
})
