import type { Settings } from '../../ports/control-store.js'
import type { ControlDb } from './control-db.js'

export class KyselySettings implements Settings {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  async get(key: string): Promise<string | null> {
    const row = await this.#db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst()
    return row?.value ?? null
  }

  async setOnce(key: string, value: string): Promise<string> {
    const row = await this.#db
      .insertInto('settings')
      .values({ key, value })
      .onConflict(conflict => conflict.column('key').doUpdateSet(eb => ({ key: eb.ref('excluded.key') })))
      .returning('value')
      .executeTakeFirstOrThrow()
    return row.value
  }

  async set(key: string, value: string): Promise<void> {
    await this.#db
      .insertInto('settings')
      .values({ key, value })
      .onConflict(conflict => conflict.column('key').doUpdateSet({ value }))
      .execute()
  }
}
