import type { Channel, SignatureScheme } from '../../../domain/alerts/channel.js'
import { GatewayError } from '../../../domain/errors.js'
import { requireMailAddress } from '../../../domain/mail-address.js'
import type { Namespace } from '../../../domain/namespace.js'
import type { Principal, UserPrincipal } from '../../../domain/principal.js'
import type { ControlPorts } from '../../../ports/control-store.js'
import { newSecret, verificationKey } from '../message/standard-webhook.js'
import type { SealedChannels } from '../sealed-channels.js'
import type { AllowedTargets } from '../target/allowed-targets.js'
import type { MailClient } from '../target/mail-client.js'
import { parseTarget } from '../target/target-url.js'
import { channelContent, type ChannelInput } from './channel-input.js'
import { channelView, type ChannelView } from './channel-view.js'
import { MAX_CHANNELS, ROTATION_MS } from './notify-limits.js'
import { auditedWrite } from '../../../access/audited-write.js'
import type { NotifyServiceDeps } from './notify-service-deps.js'
import { routedNames } from './routed-names.js'

/** Dependencies of `ChannelService`. */
export interface ChannelServiceDeps extends NotifyServiceDeps {
  readonly sealed: SealedChannels
  readonly allowed: AllowedTargets
  readonly mail: Pick<MailClient, 'isConfigured'>
}

/** A channel with what its receiver verifies signatures with, shown this once. */
export interface IssuedChannel {
  readonly channel: ChannelView
  /** `whsec_...`, or `whpk_...` for ed25519; null for kinds that are not signed and for a channel that keeps its secret. */
  readonly secret: string | null
}

/** The error for an id that no channel of the namespace has. */
export function noChannel(): GatewayError {
  return new GatewayError('not_found', 'no notification channel of this namespace has this id', { field: 'id' })
}

/** The channel of this id. `not_found` for an unknown one. */
export async function storedChannel(
  ports: Pick<ControlPorts, 'notificationChannels'>,
  ns: Namespace,
  id: string
): Promise<Channel> {
  const channel = await ports.notificationChannels.byId(ns.id, id)
  if (!channel) throw noChannel()
  return channel
}

async function requireUnrouted(ports: ControlPorts, ns: Namespace, name: string): Promise<void> {
  if (!(await routedNames(ports, ns.id)).channels.has(name)) return
  throw new GatewayError('conflict', `the routing sends alerts to the channel ${name}; remove it from the routing first`)
}

/** Where notifications go. Readers of the namespace list channels; admins make and change them, since they hold credentials. */
export class ChannelService {
  readonly #deps: ChannelServiceDeps

  constructor(deps: ChannelServiceDeps) {
    this.#deps = deps
  }

  /** All channels, by name. */
  async list(principal: Principal, ns: Namespace): Promise<readonly ChannelView[]> {
    const { store, authorizer } = this.#deps
    const role = await authorizer.roleIn(principal, ns.id)
    return (await store.notificationChannels.all(ns.id)).map(channel => this.#view(channel, role))
  }

  /** `not_found` for an unknown id. */
  async get(principal: Principal, ns: Namespace, id: string): Promise<ChannelView> {
    const { store, authorizer } = this.#deps
    return this.#view(await storedChannel(store, ns, id), await authorizer.roleIn(principal, ns.id))
  }

  /**
   * Stores a channel, or replaces the one with `id`. `invalid_field` for a target that is not allowed, `name_taken`,
   * `conflict` for another name of a channel that the routing uses, `quota_exceeded` beyond `MAX_CHANNELS`.
   */
  async save(principal: UserPrincipal, namespace: Namespace, input: ChannelInput, id?: string): Promise<IssuedChannel> {
    const content = channelContent(input)
    const url = input.target === undefined ? undefined : this.#target(content.kind, input.target)
    return auditedWrite(this.#deps, { principal, namespace, role: 'admin' }, async ports => {
      const before = id === undefined ? null : await storedChannel(ports, namespace, id)
      if (before && before.name !== content.name) await requireUnrouted(ports, namespace, before.name)
      if (before && before.kind !== content.kind) {
        throw new GatewayError('invalid_field', `kind of a channel cannot change (it is ${before.kind}); make another channel`, {
          field: 'kind'
        })
      }
      if (!before) await requireRoom(ports, namespace)
      const { channel, secret } = this.#made(principal, namespace, { content, url, before })
      await ports.notificationChannels.put(channel)
      const event = { action: 'notification_channel.saved', target: channel.id, detail: { kind: channel.kind } } as const
      return { result: { channel: this.#view(channel, 'admin'), secret }, event }
    })
  }

  /** Removes a channel with its deliveries. `conflict` while the routing uses it. */
  remove(principal: UserPrincipal, namespace: Namespace, id: string): Promise<void> {
    return auditedWrite(this.#deps, { principal, namespace, role: 'admin' }, async ports => {
      await requireUnrouted(ports, namespace, (await storedChannel(ports, namespace, id)).name)
      await ports.notificationChannels.remove(namespace.id, id)
      return { result: undefined, event: { action: 'notification_channel.deleted', target: id } as const }
    })
  }

  /** Gives a webhook a new secret. For 24 hours requests have the signatures of both. `conflict` for kinds without one. */
  rotate(principal: UserPrincipal, namespace: Namespace, id: string): Promise<IssuedChannel> {
    return auditedWrite(this.#deps, { principal, namespace, role: 'admin' }, async ports => {
      const before = await storedChannel(ports, namespace, id)
      if (before.kind !== 'webhook') throw new GatewayError('conflict', `a channel of kind ${before.kind} has no secret`)
      const { sealed, clock } = this.#deps
      const open = sealed.open(before)
      const secret = this.#newSecret(before.signature)
      const nowMs = clock.nowMs()
      const channel = {
        ...before,
        ...sealed.seal(id, { url: open.url, secret, previousSecret: open.secret }),
        previousUntilMs: nowMs + ROTATION_MS,
        updatedBy: principal.userId,
        updatedAtMs: nowMs
      }
      await ports.notificationChannels.put(channel)
      const event = { action: 'notification_channel.secret_rotated', target: id } as const
      return { result: { channel: this.#view(channel, 'admin'), secret: verificationKey(secret) }, event }
    })
  }

  #view(channel: Channel, role: Parameters<typeof channelView>[2]): ChannelView {
    return channelView(channel, this.#deps.sealed.open(channel).url, role)
  }

  /** The URL of a channel, or its e-mail address. */
  #target(kind: Channel['kind'], target: string): string {
    const { allowed, mail } = this.#deps
    if (kind !== 'email') return parseTarget(target, allowed).href
    if (mail.isConfigured) return requireMailAddress(target, 'target')
    const detail = 'kind email needs a mail server; the operator can set smtp_url and smtp_from'
    throw new GatewayError('invalid_field', detail, { field: 'kind' })
  }

  #newSecret(scheme: SignatureScheme): string {
    return newSecret(scheme, n => this.#deps.secrets.bytes(n))
  }

  /** The channel to store, with its secret if that is a new one. Saving an enabled channel ends what disabled it. */
  #made(
    principal: UserPrincipal,
    namespace: Namespace,
    { content, url, before }: { content: ReturnType<typeof channelContent>; url: string | undefined; before: Channel | null }
  ): { readonly channel: Channel; readonly secret: string | null } {
    const { sealed, secrets, clock } = this.#deps
    const id = before?.id ?? secrets.id()
    const open = before && sealed.open(before)
    const target = url ?? open?.url
    if (target === undefined) throw new GatewayError('missing_field', 'target is required', { field: 'target' })
    const keepsSecret = open !== null && before?.signature === content.signature
    const secret = keepsSecret ? open.secret : this.#newSecret(content.signature)
    const previousSecret = keepsSecret ? open.previousSecret : null
    const health =
      before && !content.isEnabled
        ? before
        : {
            disabledReason: null,
            failingSinceMs: null,
            lastDeliveryAtMs: before?.lastDeliveryAtMs ?? null,
            lastError: before?.lastError ?? null
          }
    const channel: Channel = {
      ...content,
      id,
      namespaceId: namespace.id,
      ...sealed.seal(id, { url: target, secret, previousSecret }),
      previousUntilMs: keepsSecret ? (before?.previousUntilMs ?? null) : null,
      disabledReason: health.disabledReason,
      failingSinceMs: health.failingSinceMs,
      lastDeliveryAtMs: health.lastDeliveryAtMs,
      lastError: health.lastError,
      updatedBy: principal.userId,
      updatedAtMs: clock.nowMs()
    }
    return { channel, secret: keepsSecret || content.kind !== 'webhook' ? null : verificationKey(secret) }
  }
}

async function requireRoom(ports: ControlPorts, ns: Namespace): Promise<void> {
  if ((await ports.notificationChannels.all(ns.id)).length < MAX_CHANNELS) return
  throw new GatewayError('quota_exceeded', `a namespace has at most ${MAX_CHANNELS} notification channels; delete some`)
}
