import { describe, expect, it } from '@jest/globals'
import { chooseStores, storeContradictions, storeSettings } from '../../../src/config/store-settings.js'
import { setting, type SettingValues } from '../../../src/settings/setting.js'
import { text } from '../../../src/settings/value-types.js'
import { outsideBackup } from '../../../src/stores/assemble/backup.js'
import { ENGINES } from '../../../src/stores/assemble/engines.js'
import type { EngineDescriptor } from '../../../src/stores/shared/engine-descriptor.js'
import { ALL_EMBEDDED } from '../../../src/stores/shared/store-choice.js'

const SETTINGS = {
  tape_url: setting(text, null, 'address of the drive'),
  tape_label: setting(text, null, 'label of the reel')
}

/** An engine that no one has written. */
const TAPE: EngineDescriptor<typeof SETTINGS> = {
  name: 'tape',
  title: 'Tape',
  signals: ['metrics', 'traces'],
  backup: 'copy the reel',
  settings: SETTINGS,
  address: 'tape_url',
  isConfigured: ({ tapeUrl }: SettingValues<typeof SETTINGS>) => tapeUrl !== null,
  contradictions: ({ tapeUrl, tapeLabel }) => [
    [tapeUrl === null && tapeLabel !== null, 'tape_label is set, but tape_url is missing']
  ],
  configure: () => ({ open: () => Promise.reject(new Error('no drive')), examine: async () => [] })
}
const WITH_TAPE = [...ENGINES, TAPE]
const NONE_GIVEN = {
  ...{ logsStore: null, eventsStore: null, metricsStore: null, tracesStore: null },
  ...{ elasticsearchUrl: null, elasticsearchCloudId: null, elasticsearchCaFile: null },
  ...{ elasticsearchUsername: null, elasticsearchPassword: null, elasticsearchApiKey: null },
  ...{ influxdbUrl: null, influxdbOrg: null, influxdbToken: null, tapeUrl: null, tapeLabel: null }
}

describe('the descriptor of an engine', () => {
  it('names its settings after the engine', () => {
    for (const { name, settings, address } of ENGINES) {
      expect(Object.keys(settings)).toContain(address)
      for (const key of Object.keys(settings)) expect(key.startsWith(`${name}_`)).toBe(true)
    }
  })

  it('adds its settings and its name to the stores of its signals', () => {
    const table = storeSettings(WITH_TAPE)
    expect(Object.keys(table)).toEqual(expect.arrayContaining(['influxdb_url', 'tape_url', 'tape_label']))
    expect(table['traces_store']).toMatchObject({
      help: 'store of traces; default elasticsearch if its URL is set, tape if its URL is set, else duckdb',
      type: { words: 'one of duckdb, elasticsearch, tape' }
    })
    expect(table['logs_store']!.type.words).toBe('one of duckdb, elasticsearch')
  })

  it('makes the engine the default store of its signals once it has an address', () => {
    const chosen = chooseStores({ ...NONE_GIVEN, tapeUrl: 'x', tracesStore: 'duckdb' }, WITH_TAPE)
    expect(chosen).toEqual({ logsStore: 'duckdb', eventsStore: 'duckdb', metricsStore: 'tape', tracesStore: 'duckdb' })
  })

  it('reports a store without an address and what contradicts itself', () => {
    expect(storeContradictions({ ...NONE_GIVEN, metricsStore: 'tape', tapeLabel: 'a' }, WITH_TAPE)).toEqual([
      'metrics_store is tape, but tape_url is missing',
      'tape_label is set, but tape_url is missing'
    ])
  })

  it('states where its signals are backed up', () => {
    const signals = { ...ALL_EMBEDDED.signals, metrics: 'tape', traces: 'tape' }
    const managed = [{ ...TAPE, ...TAPE.configure({ tapeUrl: 'x', tapeLabel: null }) }]
    expect(outsideBackup({ ...ALL_EMBEDDED, signals, managed })).toEqual([
      'metrics, traces are in Tape: copy the reel',
      'spooled records are not copied'
    ])
  })
})
