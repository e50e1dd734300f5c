import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { AlertFailPoint } from '../../src/alerting/fail-points.js'
import { createPostgresDatabases, type PostgresDatabases } from '../support/postgres-databases.js'
import { describeOn } from '../support/servers.js'
import { openTempFolder } from '../support/temp-folder.js'
import { openWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js'
import { historyFaults, recountDeliveries, unreported } from './alert-recount.js'
import { AlertSite } from './alert-site.js'

/** Enough that one of them changes its state every second. */
const RULES = 20
/** Two gateways start in each case. */
const CASE_LIMIT_MS = 180_000

describeOn('postgres', 'a gateway that is paused while another one takes its shards, and goes on', ({ url }) => {
  let databases: PostgresDatabases
  let folder: Awaited<ReturnType<typeof openTempFolder>>
  let receiver: WebhookReceiver
  let site: AlertSite
  /** Deliveries whose outcome was not stored when a gateway was paused or stopped. */
  const mayRepeat = new Set<string>()

  async function noteWaiting(): Promise<void> {
    for (const id of await site.database.waiting()) mayRepeat.add(id)
  }

  /** Ends both gateways at once, and their leases. */
  async function end(): Promise<void> {
    await site.gateways.kill()
    await noteWaiting()
    await site.database.expireLeases()
  }

  beforeAll(async () => {
    databases = await createPostgresDatabases(url)
    folder = await openTempFolder()
    receiver = await openWebhookReceiver()
    const options = { folder: folder.path, databaseUrl: await databases.bare(), gateways: 2 }
    site = await AlertSite.open(options, { rules: RULES, target: `${receiver.url}/hook` })
    await end()
  }, CASE_LIMIT_MS)
  afterAll(async () => {
    await site?.gateways.stop()
    await receiver?.close()
    await folder?.remove()
    await databases?.drop()
  })

  afterEach(() => end())

  /** Pauses gateway 0 at a point, lets gateway 1 take over, and lets gateway 0 go on until it knows that it has lost. */
  async function overtake(point: AlertFailPoint): Promise<void> {
    const former = await site.gateways.spawn(0, { point, signal: 'SIGSTOP', skip: 0 })
    await former.wrote(new RegExp(`^reached ${point}$`))
    site.gateways.pause(0, true)
    await noteWaiting()
    await site.database.expireLeases()
    await site.gateways.start(1)
    await site.evaluator()
    const hasLost = former.wrote(/^reached shard\.lost$/)
    site.gateways.pause(0, false)
    await hasLost
  }

  describe.each<AlertFailPoint>(['evaluation.folded', 'evaluation.written', 'notification.written', 'attempt.ended'])(
    'at %s',
    point => {
      it(
        'writes nothing that the new holder does not know of',
        async () => {
          await overtake(point)
          const sent = receiver.received.length
          const untilMs = Date.now()
          // Before the first change of any rule, nothing is unreported.
          await receiver.until(hooks => hooks.length > sent && unreported(hooks, site.rules, untilMs).length === 0)
          const { faults, repeated } = await recountDeliveries(site, receiver, { at: 1, untilMs })
          expect([...historyFaults(site.rules, await site.events(1), untilMs), ...faults]).toEqual([])
          expect(repeated.filter(id => !mayRepeat.has(id))).toEqual([])
        },
        CASE_LIMIT_MS
      )
    }
  )
})
