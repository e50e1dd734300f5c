import { AuditTrail } from '../access/audit-service.js'
import type { Authorizer } from '../access/authorizer.js'
import { Purge } from '../access/purge.js'
import { SecretBox, type SecretKeys } from '../access/secret-box.js'
import { SecretSource } from '../access/secrets.js'
import { Sender } from '../alerting/notify/deliver/sender.js'
import { Dispatcher } from '../alerting/notify/dispatch/dispatcher.js'
import type { LeaseHolder } from '../alerting/notify/dispatch/lease-holder.js'
import type { ReachFailPoint } from '../alerting/fail-points.js'
import { AckService } from '../alerting/notify/manage/ack-service.js'
import { ChannelService } from '../alerting/notify/manage/channel-service.js'
import { DeliveryService } from '../alerting/notify/manage/delivery-service.js'
import { MuteTimeService } from '../alerting/notify/manage/mute-time-service.js'
import { RoutingService } from '../alerting/notify/manage/routing-service.js'
import { SilenceService } from '../alerting/notify/manage/silence-service.js'
import { SealedChannels } from '../alerting/notify/sealed-channels.js'
import { AllowedTargets } from '../alerting/notify/target/allowed-targets.js'
import { HostResolver, type ResolveHost } from '../alerting/notify/target/resolve-host.js'
import { MailClient, type MailSettings } from '../alerting/notify/target/mail-client.js'
import { TargetClient } from '../alerting/notify/target/target-client.js'
import type { BackgroundJobs, RepeatedJob } from '../ports/background-jobs.js'
import type { Clock } from '../ports/clock.js'
import type { ControlStore } from '../ports/control-store.js'
import type { Timers } from '../ports/timers.js'

const DAY_MS = 86_400_000
/** How long ended deliveries and silences are kept. */
const KEPT_MS = 30 * DAY_MS
/** Ended deliveries that are kept of each channel. */
const KEPT_DELIVERIES = 1_000
const CLEAN_EVERY_MS = 3_600_000
/** Name among the background jobs. */
const CLEANING = 'notification_retention'

/** Dependencies of `openNotifications`. */
export interface NotificationsDeps {
  readonly store: ControlStore
  readonly clock: Clock
  readonly timers: Timers
  readonly jobs: BackgroundJobs
  readonly authorizer: Authorizer
  readonly leases: LeaseHolder
  readonly randomBytes: (n: number) => Uint8Array
  readonly secretKeys: SecretKeys
  /** Internal targets that channels may have. */
  readonly allow: readonly string[]
  /** Public address of the service; empty when it is not configured. */
  readonly externalUrl: string
  readonly version: string
  /** The operator's mail server; null without one. */
  readonly mail: MailSettings | null
  readonly reach: ReachFailPoint
}

/** Use cases of notifications. */
export interface NotificationUseCases {
  readonly channels: ChannelService
  readonly deliveries: DeliveryService
  readonly alertRouting: RoutingService
  readonly silences: SilenceService
  readonly muteTimes: MuteTimeService
  readonly alertAcks: AckService
}

/** Notifications of alerts, wired. */
export interface Notifications {
  readonly useCases: NotificationUseCases
  /** Begins to follow events and to send. */
  start(): void
  /** Events of a namespace were committed. */
  wake(): void
  /** Resolves when no step and no attempt is in progress. */
  settled(): Promise<void>
  /** Ends what is in progress; to be called while the leases are still held. */
  stop(): Promise<void>
}

const RANDOM_BYTES = 4
const RANDOM_RANGE = 2 ** 32

/** Seals the secrets of channels by the configured key, and wires what makes and sends notifications. */
export async function openNotifications(deps: NotificationsDeps): Promise<Notifications> {
  const { store, clock, timers, jobs, leases, randomBytes, externalUrl, reach } = deps
  const secrets = new SecretSource(randomBytes)
  const sealed = new SealedChannels(new SecretBox(deps.secretKeys, randomBytes))
  await sealed.reseal(store, new Purge(store, secrets))
  const allowed = new AllowedTargets(deps.allow)
  const resolver = new HostResolver({ allowed })
  const resolve: ResolveHost = (host, signal) => resolver.resolve(host, signal)
  const client = new TargetClient({ allowed, clock, timers, resolve, userAgent: `Alidade/${deps.version}` })
  const mail = new MailClient({ settings: deps.mail, clock, timers })
  const random = (): number => Buffer.from(randomBytes(RANDOM_BYTES)).readUInt32LE() / RANDOM_RANGE
  const sender = new Sender({ store, leases, sealed, client, mail, clock, timers, random, jobs, reach })
  const onDeliveries = (): void => sender.poke()
  const dispatcher = new Dispatcher({ store, leases, clock, timers, jobs, externalUrl, onDeliveries, reach })
  const shared = { store, clock, secrets, audit: new AuditTrail(clock, secrets), authorizer: deps.authorizer }
  let cleaning: RepeatedJob | null = null
  return {
    useCases: {
      channels: new ChannelService({ ...shared, sealed, allowed, mail }),
      deliveries: new DeliveryService({ ...shared, externalUrl, onDeliveries }),
      alertRouting: new RoutingService(shared),
      silences: new SilenceService(shared),
      muteTimes: new MuteTimeService(shared),
      alertAcks: new AckService(shared)
    },
    start: () => {
      dispatcher.start()
      sender.start()
      cleaning = jobs.repeat(CLEANING, CLEAN_EVERY_MS, () => clean(store, clock.nowMs()))
    },
    wake: () => dispatcher.wake(),
    settled: async () => {
      await dispatcher.settled()
      await sender.settled()
    },
    stop: async () => {
      await Promise.all([dispatcher.stop(), sender.stop(), cleaning?.stop()])
    }
  }
}

async function clean({ deliveries, notificationRules }: ControlStore, nowMs: number): Promise<void> {
  await deliveries.deleteOld(nowMs - KEPT_MS, KEPT_DELIVERIES)
  await notificationRules.deleteSilencesBefore(nowMs - KEPT_MS)
}
