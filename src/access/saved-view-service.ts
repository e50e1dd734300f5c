import { GatewayError } from '../domain/errors.js'
import type { Namespace } from '../domain/namespace.js'
import type { UserPrincipal } from '../domain/principal.js'
import type { Clock } from '../ports/clock.js'
import type { ControlStore } from '../ports/control-store.js'
import type { SavedView } from '../ports/saved-views.js'
import { parseName } from './accounts.js'
import type { AuditTrail } from './audit-service.js'
import type { Authorizer } from './authorizer.js'
import type { SecretSource } from './secrets.js'
import { parseViewCursor, viewCursor } from './view-cursor.js'

/** Bytes of JSON of a view, and of a user's preferences. */
const MAX_STATE_BYTES = 16 * 1024

/** The JSON of what a page stores. `invalid_field` beyond `MAX_STATE_BYTES`. */
export function stateText(state: object, field: string): string {
  const text = JSON.stringify(state)
  const bytes = Buffer.byteLength(text)
  if (bytes <= MAX_STATE_BYTES) return text
  throw new GatewayError('invalid_field', `${field} exceeds ${MAX_STATE_BYTES} bytes of JSON (got ${bytes})`, { field })
}

/** What `stateText` wrote. */
export function readState(text: string): object {
  return JSON.parse(text) as object
}

/** Views of one namespace, with and without a name. */
export const MAX_VIEWS = 1_000

/** Views of a page: their states are at most 3.2 MiB. */
export const MAX_VIEWS_OF_PAGE = 200
const DEFAULT_VIEWS_OF_PAGE = 100

/** Signals of the pages whose states are stored. */
export const VIEW_SIGNALS = ['logs', 'spans', 'metrics', 'rum', 'errors'] as const
/** One of `VIEW_SIGNALS`. */
export type ViewSignal = (typeof VIEW_SIGNALS)[number]

/** Dependencies of `SavedViewService`. */
export interface SavedViewDeps {
  readonly store: ControlStore
  readonly clock: Clock
  readonly secrets: SecretSource
  readonly audit: AuditTrail
  readonly authorizer: Authorizer
}

/** A view as readers see it. */
export interface SavedViewContent extends Omit<SavedView, 'state' | 'signal' | 'namespaceId'> {
  readonly signal: ViewSignal
  readonly state: object
}

/** A view to store. */
export interface NewSavedView {
  /** Of the view to replace; absent for a new one. */
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly signal: ViewSignal
  readonly state: object
}

/** A page of the views with a name. */
export interface SavedViewPageRequest {
  readonly signal?: ViewSignal | undefined
  readonly limit?: number | undefined
  /** Cursor of the page before. */
  readonly after?: string | undefined
}

/** Views of a page, and where it ends. */
export interface SavedViewPage {
  readonly views: readonly SavedViewContent[]
  readonly hasMore: boolean
  readonly nextCursor: string | null
  readonly limit: number
}

function toContent({ namespaceId: _namespaceId, state, signal, ...view }: SavedView): SavedViewContent {
  return { ...view, signal: signal as ViewSignal, state: readState(state) }
}

function checkLimit(limit: number): void {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_VIEWS_OF_PAGE) return
  throw new GatewayError('invalid_field', `limit must be from 1 to ${MAX_VIEWS_OF_PAGE} (got ${limit})`, { field: 'limit' })
}

/** The error of an id that no view of the namespace has. */
export function noView(): GatewayError {
  return new GatewayError('not_found', 'no saved view of this namespace has this id', { field: 'id' })
}

/** States of pages that members of a namespace share by name or by a short link. Readers of the namespace read them. */
export class SavedViewService {
  readonly #deps: SavedViewDeps

  constructor(deps: SavedViewDeps) {
    this.#deps = deps
  }

  /** Views with a name, by name; of one signal when it is given. */
  async list(ns: Namespace, signal?: ViewSignal): Promise<readonly SavedViewContent[]> {
    return (await this.#deps.store.savedViews.named(ns.id, { signal, limit: MAX_VIEWS })).map(toContent)
  }

  /** Views as `list` has them, in pages. `invalid_field` for a limit or a cursor that is not valid. */
  async page(ns: Namespace, request: SavedViewPageRequest): Promise<SavedViewPage> {
    const { signal, limit = DEFAULT_VIEWS_OF_PAGE, after: cursor } = request
    checkLimit(limit)
    const after = cursor === undefined ? undefined : parseViewCursor(cursor)
    const found = await this.#deps.store.savedViews.named(ns.id, { signal, after, limit: limit + 1 })
    const views = found.slice(0, limit).map(toContent)
    const hasMore = found.length > limit
    return { views, hasMore, nextCursor: hasMore ? viewCursor(views.at(-1)!) : null, limit }
  }

  /** Null when the namespace has no such view. */
  async get(ns: Namespace, id: string): Promise<SavedViewContent | null> {
    const view = await this.#deps.store.savedViews.byId(ns.id, id)
    return view && toContent(view)
  }

  /**
   * Stores a view, or replaces the one with `id`; for members and above. `not_found` for an unknown id, `invalid_field` for
   * a state over 16 KiB, `quota_exceeded` beyond `MAX_VIEWS`. Written to the audit log.
   */
  async save(principal: UserPrincipal, ns: Namespace, input: NewSavedView): Promise<SavedViewContent> {
    const { store, clock, secrets, audit, authorizer } = this.#deps
    await authorizer.requireRole(principal, ns.id, 'member')
    const content = { name: parseName(input.name), signal: input.signal, state: stateText(input.state, 'state') }
    const id = input.id ?? secrets.id()
    const { userId } = principal
    const view = { ...content, id, namespaceId: ns.id, createdBy: userId, updatedBy: userId, updatedAtMs: clock.nowMs() }
    return store.transaction(async ports => {
      const replaced = input.id === undefined ? null : await ports.savedViews.byId(ns.id, id)
      if (input.id !== undefined && replaced === null) throw noView()
      if (input.id === undefined && (await ports.savedViews.count(ns.id)) >= MAX_VIEWS) {
        throw new GatewayError('quota_exceeded', `a namespace has at most ${MAX_VIEWS} saved views; delete some`)
      }
      await ports.savedViews.put(view)
      const event = { action: 'saved_view.saved', namespaceId: ns.id, actor: userId } as const
      await audit.record(ports, { ...event, target: id })
      return toContent(replaced === null ? view : { ...view, createdBy: replaced.createdBy })
    })
  }

  /** For members and above. `not_found` for an unknown id. Written to the audit log. */
  async remove(principal: UserPrincipal, ns: Namespace, id: string): Promise<void> {
    const { store, audit, authorizer } = this.#deps
    await authorizer.requireRole(principal, ns.id, 'member')
    await store.transaction(async ports => {
      if (!(await ports.savedViews.remove(ns.id, id))) throw noView()
      const event = { action: 'saved_view.deleted', namespaceId: ns.id, actor: principal.userId } as const
      await audit.record(ports, { ...event, target: id })
    })
  }
}
