import type { Kysely, Migration } from 'kysely'
import { Migrator } from 'kysely'
import { GatewayError } from '../../domain/errors.js'
import type { ControlSchema } from './schema.js'
import {
  addLogRules,
  addStoragePlans,
  addStoreGaps,
  addViewCreators,
  createCatalogTables,
  createErrorGroupTable,
  createMetricNoteTables,
  createPatternTables,
  createViewTables
} from './added-tables.js'
import { createAlertTables } from './alert-tables.js'
import { createAccessTables, createLedgerTables, createUserTables } from './first-tables.js'
import { addContainersOfHosts, createHostTables } from './host-tables.js'
import { createMeasureTable } from './measure-tables.js'
import { createServiceEventTable } from './service-event-tables.js'
import { createNotificationTables, indexNotifications } from './notification-tables.js'
import { createSloTables } from './slo-tables.js'
import { addPendingBatches, addRecoveredRecords, createStreamTables, indexGapsByTime, indexStreamGaps } from './stream-tables.js'

const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-first-tables': {
    async up(db: Kysely<unknown>): Promise<void> {
      await createUserTables(db)
      await createAccessTables(db)
      await createLedgerTables(db)
    }
  },
  '0002-managed-stores': {
    async up(db: Kysely<unknown>): Promise<void> {
      await addStoragePlans(db)
      await createCatalogTables(db)
    }
  },
  '0003-error-groups': { up: createErrorGroupTable },
  '0004-metric-notes': { up: createMetricNoteTables },
  '0006-store-gaps': { up: addStoreGaps },
  '0008-saved-views': { up: createViewTables },
  '0010-log-patterns': { up: createPatternTables },
  '0011-log-streams': { up: createStreamTables },
  '0014-hosts': { up: createHostTables },
  '0015-alerts': { up: createAlertTables },
  '0016-notifications': { up: createNotificationTables },
  '0017-service-events': { up: createServiceEventTable },
  '0018-notification-indexes': { up: indexNotifications },
  '0019-stream-gaps': { up: indexStreamGaps },
  '0021-log-rules': { up: addLogRules },
  '0022-slos': { up: createSloTables },
  '0023-pending-batches': { up: addPendingBatches },
  '0024-recovered-records': { up: addRecoveredRecords },
  '0025-saved-measures': { up: createMeasureTable },
  '0026-view-creators': { up: addViewCreators },
  '0027-containers-of-hosts': { up: addContainersOfHosts },
  '0028-gaps-by-time': { up: indexGapsByTime }
}

/** Names of the migrations that every engine has, in order. */
export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS)

/**
 * Brings the tables up to date, all or nothing, one process at a time. Refuses a database that a newer version wrote.
 * `own` are migrations that only this engine has.
 */
export async function migrate(db: Kysely<ControlSchema>, own: Readonly<Record<string, Migration>> = {}): Promise<void> {
  const migrations = { ...MIGRATIONS, ...own }
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } })
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return
  if (error instanceof Error && error.message.includes('previously executed migration')) {
    throw new GatewayError('store_unavailable', 'the control database was written by a newer version of Alidade', {
      cause: error
    })
  }
  throw error
}
