import { DemoSender } from '../../../bench/demo/sender.js'
import { Shop } from '../../../bench/demo/shop.js'
import type { RunningService } from '../../support/running-service.js'

const SEED = 7
const SECONDS = 150
/** Second of the demo's story in which the deploy has broken payments. */
const INCIDENT_AT = 620

/** Sends the last two and a half minutes of the demo's shop, in the middle of its incident. */
export async function sendShop(service: RunningService): Promise<void> {
  const shop = new Shop(SEED)
  const fromSeconds = Math.floor(Date.now() / 1_000) - SECONDS
  const emissions = Array.from({ length: SECONDS }, (_, at) => shop.second(fromSeconds + at, INCIDENT_AT + at))
  await new DemoSender(service, service.first.ingestKey).send(emissions, false)
  await service.settle()
}
