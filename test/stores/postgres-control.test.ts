import { afterAll, beforeAll, describe } from '@jest/globals'
import type { ControlStore } from '../../src/ports/control-store.js'
import { openPostgresControlStore } from '../../src/stores/control/open-postgres.js'
import {
  controlInvitationsContract,
  controlKeysContract,
  controlNamespacesContract
} from '../contract/control-store.access.contract.js'
import {
  controlIndicesContract,
  controlPlacesContract,
  controlSeriesContract,
  controlWaitingContract
} from '../contract/control-store.catalogs.contract.js'
import { controlDeliveriesContract } from '../contract/control-store.deliveries.contract.js'
import { controlNotificationsContract } from '../contract/control-store.notifications.contract.js'
import { controlPatternsContract } from '../contract/control-store.patterns.contract.js'
import { controlMeasuresContract } from '../contract/control-store.measures.contract.js'
import { controlViewsContract } from '../contract/control-store.views.contract.js'
import { controlEventsContract } from '../contract/control-store.events.contract.js'
import { controlSlosContract } from '../contract/control-store.slos.contract.js'
import { controlHostsContract } from '../contract/control-store.hosts.contract.js'
import { controlStreamsContract } from '../contract/control-store.streams.contract.js'
import { controlAlertRulesContract } from '../contract/control-store.alert-rules.contract.js'
import { controlAlertLeasesContract, controlAlertStatesContract } from '../contract/control-store.alert-states.contract.js'
import { controlErrorGroupsContract } from '../contract/control-store.errors.contract.js'
import { controlExemplarsContract, controlMetricFactsContract } from '../contract/control-store.notes.contract.js'
import { controlLedgersContract, controlTransactionsContract } from '../contract/control-store.ledger.contract.js'
import {
  controlMembersContract,
  controlSessionsContract,
  controlUsersContract
} from '../contract/control-store.people.contract.js'
import type { PostgresDatabases } from '../support/postgres-databases.js'
import { createPostgresDatabases } from '../support/postgres-databases.js'
import { describeOn } from '../support/servers.js'
import { quietJobs } from '../support/quiet-jobs.js'

describeOn('postgres', 'control store on PostgreSQL', ({ url }) => {
  let databases: PostgresDatabases
  beforeAll(async () => {
    databases = await createPostgresDatabases(url)
  })
  afterAll(() => databases?.drop())

  async function open(): Promise<ControlStore> {
    return openPostgresControlStore({ jobs: quietJobs(), url: await databases.empty() })
  }

  describe('users and signing keys', () => controlUsersContract(open))
  describe('refresh tokens', () => controlSessionsContract(open))
  describe('members', () => controlMembersContract(open))
  describe('namespaces', () => controlNamespacesContract(open))
  describe('API keys', () => controlKeysContract(open))
  describe('invitations', () => controlInvitationsContract(open))
  describe('ledgers', () => controlLedgersContract(open))
  describe('error groups', () => controlErrorGroupsContract(open))
  describe('patterns of logs', () => controlPatternsContract(open))
  describe('saved views and preferences', () => controlViewsContract(open))
  describe('saved measures', () => controlMeasuresContract(open))
  describe('log streams', () => controlStreamsContract(open))
  describe('events of services', () => controlEventsContract(open))
  describe('service level objectives', () => controlSlosContract(open))
  describe('hosts of agents', () => controlHostsContract(open))
  describe('alert rules', () => controlAlertRulesContract(open))
  describe('states of alert rules', () => controlAlertStatesContract(open))
  describe('leases of alert rules', () => controlAlertLeasesContract(open))
  describe('notifications', () => controlNotificationsContract(open))
  describe('deliveries', () => controlDeliveriesContract(open))
  describe('indices', () => controlIndicesContract(open))
  describe('series', () => controlSeriesContract(open))
  describe('places', () => controlPlacesContract(open))
  describe('waiting records', () => controlWaitingContract(open))
  describe('facts of metrics', () => controlMetricFactsContract(open))
  describe('exemplars', () => controlExemplarsContract(open))
  describe('transactions', () => controlTransactionsContract(open))
})
