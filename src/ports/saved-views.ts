import type { NamespaceId, UserId } from '../domain/ids.js'

/** The state of a page that members of a namespace share. */
export interface SavedView {
  readonly id: string
  readonly namespaceId: NamespaceId
  /** Null for a view that only shortens a link. */
  readonly name: string | null
  /** Signal of the page: `logs`, `spans`, ... */
  readonly signal: string
  /** A JSON object; opaque here. */
  readonly state: string
  /** Null for a view from before this was stored. */
  readonly createdBy: UserId | null
  readonly updatedBy: UserId
  readonly updatedAtMs: number
}

/** Where a view is in the list of views with a name. */
export interface NamedPlace {
  readonly name: string
  readonly id: string
}

/** Which views with a name to read. */
export interface NamedViewsRequest {
  readonly limit: number
  /** Only views of this signal. */
  readonly signal?: string | undefined
  /** Only views that follow this place. */
  readonly after?: NamedPlace | undefined
}

/** Views by namespace and id. They end with the namespace. */
export interface SavedViews {
  /** Inserts the view, or replaces the one with its namespace and id, which keeps who created it. */
  put(view: SavedView): Promise<void>
  /** The view; null without one of this id in this namespace. */
  byId(ns: NamespaceId, id: string): Promise<SavedView | null>
  /** Views with a name, by name and id. */
  named(ns: NamespaceId, request: NamedViewsRequest): Promise<readonly SavedView[]>
  /** Views of the namespace, with and without a name. */
  count(ns: NamespaceId): Promise<number>
  /** False when the view does not exist. */
  remove(ns: NamespaceId, id: string): Promise<boolean>
}

/** Preferences of a user for pages, in all namespaces: a JSON object, opaque here. */
export interface Preferences {
  /** Null when the user has chosen nothing. */
  of(userId: UserId): Promise<string | null>
  /** Replaces the preferences. */
  set(userId: UserId, preferences: string): Promise<void>
}
