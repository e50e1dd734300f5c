import type { Settings } from '../../ports/control-store.js'
import type { ControlDb } from './control-db.js'
import { atomically } from './control-db.js'

export class KyselySettings implements Settings {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  async get(key: string): Promise<string | null> {
    const row = await this.#db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst()
    return row?.value ?? null
  }

  setOnce(key: string, value: string): Promise<string> {
    return atomically(this.#db, async trx => {
      await trx
        .insertInto('settings')
        .values({ key, value })
        .onConflict(conflict => conflict.doNothing())
        .execute()
      const row = await trx.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirstOrThrow()
      return row.value
    })
  }
}
