import type { AlertCondition } from '../../../domain/alerts/alert-rule.js'
import type { Channel } from '../../../domain/alerts/channel.js'
import type { NamespaceId } from '../../../domain/ids.js'
import type { ControlPorts } from '../../../ports/control-store.js'
import type { Flush } from '../group/flush-group.js'
import type { GroupChannel, NotifyContext } from '../group/notify-context.js'
import { notifyStep } from '../group/step.js'
import { ALERTMANAGER_RESEND_MS } from '../message/alertmanager-post.js'
import { MAX_SILENCES } from '../manage/notify-limits.js'
import { groupsOfStep } from './groups-of-step.js'
import { mutedAt } from './muted-at.js'
import type { RoutingCache } from './routing-cache.js'
import type { SilenceCache } from './silence-cache.js'
import { toDeliveries } from './to-deliveries.js'

/** Events that one step applies; a step with more to do is followed by another one. */
export const EVENTS_A_STEP = 500

/** Dependencies of one step. */
export interface NotifyDeps {
  readonly routings: RoutingCache
  readonly silences: SilenceCache
  /** Public address of the service; empty when it is not configured. */
  readonly externalUrl: string
}

/** What a step did. */
export interface NotifyOutcome {
  readonly deliveries: number
  /** Whether another step has something to do now. */
  readonly hasMore: boolean
}

function toGroupChannel({ id, kind, isEnabled, disabledReason, events }: Channel): GroupChannel {
  const resendMs = kind === 'alertmanager' ? ALERTMANAGER_RESEND_MS : null
  const takes: GroupChannel['takes'] = type => events.length === 0 || events.includes(type)
  return { id, isEnabled: isEnabled && disabledReason === null, takes, resendMs }
}

async function waitingTest(ports: ControlPorts, ns: NamespaceId): Promise<NotifyContext['isWaiting']> {
  const waiting = new Set((await ports.deliveries.waiting(ns)).map(({ groupKey, channelId }) => `${channelId} ${groupKey}`))
  return (groupKey, channelId) => waiting.has(`${channelId} ${groupKey}`)
}

/** Rules whose conditions one step reads; alerts of others have no evidence in their messages. */
export const MAX_RULES_READ = 200

async function conditionsOf(
  { alertRules }: ControlPorts,
  ns: NamespaceId,
  flushes: readonly Flush[]
): Promise<ReadonlyMap<string, AlertCondition>> {
  const ids = new Set(flushes.flatMap(({ alerts }) => alerts.map(({ ruleId }) => ruleId)))
  const rules = await alertRules.withIds(ns, [...ids].slice(0, MAX_RULES_READ))
  return new Map(rules.map(({ id, condition }) => [id, condition] as const))
}

/**
 * One step of the notifications of a namespace, within a transaction that holds the lease of its shard: applies events after
 * the cursor, flushes due groups, and stores cursor, groups and deliveries together.
 */
export async function notifyNamespace(
  ports: ControlPorts,
  ns: { readonly id: NamespaceId; readonly name: string },
  { routings, silences, externalUrl }: NotifyDeps,
  nowMs: number
): Promise<NotifyOutcome> {
  const cursor = await ports.notificationGroups.cursor(ns.id)
  const events = await ports.alertStates.eventsAfter(ns.id, cursor.seq, EVENTS_A_STEP)
  const { version, routing, tree } = routings.of(ns.id, await ports.notificationRules.routing(ns.id))
  const channels = await ports.notificationChannels.all(ns.id)
  const active = await ports.notificationRules.silencesAfter(ns.id, nowMs, MAX_SILENCES)
  const context: NotifyContext = {
    routing,
    tree,
    channels: new Map(channels.map(channel => [channel.name, toGroupChannel(channel)])),
    isSilenced: silences.testOf(active, nowMs),
    isMuted: mutedAt(await ports.notificationRules.muteTimes(ns.id), nowMs),
    isWaiting: await waitingTest(ports, ns.id)
  }
  const hasMoreEvents = events.length === EVENTS_A_STEP
  const newRouting = version === cursor.routingVersion ? null : version
  const request = { events, hasMoreEvents, isRerouted: newRouting !== null, routing, tree }
  await ports.notificationGroups.removeEnded(ns.id)
  const groups = await groupsOfStep(ports.notificationGroups, ns.id, request, nowMs)
  const storedGroups = await ports.notificationGroups.count(ns.id)
  const input = { events, newRouting, hasMoreEvents, storedGroups }
  const { flushes, changed, removed, hasMore } = notifyStep(groups, input, context, nowMs)
  const byId = new Map(channels.map(channel => [channel.id, channel]))
  const origin = { namespace: ns.name, externalUrl, conditions: await conditionsOf(ports, ns.id, flushes) }
  const deliveries = flushes.flatMap(flush => toDeliveries(flush, byId.get(flush.channelId)!, origin))
  await ports.notificationGroups.put(ns.id, changed)
  await ports.notificationGroups.remove(ns.id, removed)
  await ports.deliveries.insert(deliveries)
  const seq = events.at(-1)?.seq ?? cursor.seq
  if (seq !== cursor.seq || newRouting !== null) await ports.notificationGroups.setCursor(ns.id, { seq, routingVersion: version })
  return { deliveries: deliveries.length, hasMore: hasMore || hasMoreEvents }
}
