import type { UserPrincipal } from '../domain/principal.js'
import type { ControlStore } from '../ports/control-store.js'
import { readState, stateText } from './saved-view-service.js'

/** What users chose for pages: theme, density, time zone. Their own alone. */
export class PreferenceService {
  readonly #store: Pick<ControlStore, 'preferences'>

  constructor(store: Pick<ControlStore, 'preferences'>) {
    this.#store = store
  }

  /** Empty when the user has chosen nothing. */
  async of({ userId }: UserPrincipal): Promise<object> {
    const text = await this.#store.preferences.of(userId)
    return text === null ? {} : readState(text)
  }

  /** Replaces all of them. `invalid_field` over 16 KiB. */
  async set({ userId }: UserPrincipal, preferences: object): Promise<void> {
    await this.#store.preferences.set(userId, stateText(preferences, 'preferences'))
  }
}
