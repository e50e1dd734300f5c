import { randomBytes } from 'node:crypto'
import type { AlertState } from '../../src/domain/alerts/alert-state.js'
import { shardOf } from '../../src/domain/alerts/shard.js'
import type { Namespace } from '../../src/domain/namespace.js'
import type { SessionPrincipal } from '../../src/access/sessions.js'
import type { SecretKeys } from '../../src/access/secret-box.js'
import { type Notifications, openNotifications } from '../../src/app/notifications.js'
import type { IssuedChannel } from '../../src/alerting/notify/manage/channel-service.js'
import type { MailSettings } from '../../src/alerting/notify/target/mail-client.js'
import type { ShardLease } from '../../src/ports/alert-states.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import { alertGroup, alertRule, alertTransition, evaluationChange } from '../contract/alert-fixtures.js'
import type { ManualTime } from './manual-time.js'
import { type OpenedAccess, openTestAccess, registered } from './open-access.js'
import { quietJobs } from './quiet-jobs.js'

/** Longer than a test. */
const LEASE_MS = 3_600_000

/** Notifications of one namespace over a real control store, with a clock that a test moves. */
export interface NotifiedNamespace {
  readonly opened: OpenedAccess
  readonly store: ControlStore
  readonly time: ManualTime
  readonly namespace: Namespace
  readonly admin: SessionPrincipal
  readonly notifications: Notifications
  readonly failures: unknown[]
  /** The leases that are held; a test may take them away. */
  readonly held: ShardLease[]
  /** Commits a transition of an alert, as an evaluation does. */
  transition(fingerprint: string, to: AlertState, labels?: Readonly<Record<string, string>>): Promise<void>
  /** Makes a webhook. */
  webhook(name: string, target: string): Promise<IssuedChannel>
  /** Sends every alert to these channels at once. */
  route(...channels: readonly string[]): Promise<void>
  /** Lets time pass, and waits for what it sets off. */
  pass(ms: number): Promise<void>
  /** Looks for events and waits for what they set off. */
  follow(): Promise<void>
  close(): Promise<void>
}

export interface NotifiedOptions {
  /** The store that notifications see, in place of the real one. */
  readonly storeOf?: (store: ControlStore) => ControlStore
  readonly secretKeys?: SecretKeys
  readonly mail?: MailSettings
}

export async function openNotifiedNamespace(options: NotifiedOptions = {}): Promise<NotifiedNamespace> {
  const opened = await openTestAccess()
  const { store, clock: time } = opened
  const { principal: admin } = await registered(opened, 'ada')
  const namespace = opened.access.directory.byId(admin.activeNamespace)!
  const [lease] = await store.alertLeases.acquire([shardOf(namespace.id)], 'gateway', LEASE_MS)
  const held = [lease!]
  const failures: unknown[] = []
  const notifications = await openNotifications({
    store: options.storeOf?.(store) ?? store,
    clock: time,
    timers: time,
    jobs: quietJobs((_job, error) => failures.push(error)),
    authorizer: opened.access.authorizer,
    leases: { held: () => held },
    randomBytes,
    secretKeys: options.secretKeys ?? { current: null, previous: null },
    allow: ['127.0.0.1'],
    externalUrl: 'https://alidade.example',
    version: 'test',
    mail: options.mail ?? null,
    reach: () => undefined
  })
  await store.alertRules.putGroup(alertGroup('g', { namespaceId: namespace.id }))
  await store.alertRules.putRule(alertRule('r', { namespaceId: namespace.id }))
  const { channels, alertRouting } = notifications.useCases
  const follow = async (): Promise<void> => {
    notifications.wake()
    await notifications.settled()
  }
  return {
    opened,
    store,
    time,
    namespace,
    admin,
    notifications,
    failures,
    held,
    transition: async (fingerprint, to, labels = { alertname: fingerprint }) => {
      const transition = alertTransition(fingerprint, {
        to,
        atMs: time.nowMs(),
        startsAtMs: time.nowMs(),
        labels: Object.entries(labels).map(([name, value]) => ({ name, value }))
      })
      await store.alertStates.commit(lease!, [evaluationChange('r', { namespaceId: namespace.id, transitions: [transition] })])
    },
    webhook: (name, target) => channels.save(admin, namespace, { name, kind: 'webhook', target }),
    route: async (...names) => {
      const { version } = await alertRouting.get(namespace)
      const route = { channels: names, group_wait: '0s', group_interval: '10s', repeat_interval: '4h' }
      await alertRouting.set(admin, namespace, { version, document: { route } })
    },
    pass: async ms => {
      time.pass(ms)
      await follow()
      // What fell due while the clock was moved has timers of 0 ms.
      time.pass(0)
      await follow()
    },
    follow,
    close: async () => {
      await notifications.stop()
      await opened.close()
    }
  }
}
