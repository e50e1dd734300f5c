import { type CamelCase, setting, type Setting, type SettingsTable } from '../settings/setting.js'
import { choice } from '../settings/value-types.js'
import { ENGINES } from '../stores/assemble/engines.js'
import { type EngineDescriptor, STORE_SIGNALS, type StoreSignal } from '../stores/shared/engine-descriptor.js'
import { EMBEDDED } from '../stores/shared/store-choice.js'

type Engines = readonly EngineDescriptor[]
type Merged<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void ? All : never
type StoreKey = `${StoreSignal}_store`
type StoreSettings = Readonly<Record<StoreKey, Setting<string, null>>> & Merged<(typeof ENGINES)[number]['settings']>

/** The store of each signal. */
export type ChosenStores = Readonly<Record<CamelCase<StoreKey>, string>>

const SIGNALS = Object.keys(STORE_SIGNALS) as StoreSignal[]

function enginesOf(signal: StoreSignal, engines: Engines): Engines {
  return engines.filter(({ signals }) => signals.includes(signal))
}

function storeSetting(signal: StoreSignal, engines: Engines): Setting<string, null> {
  const names = enginesOf(signal, engines).map(({ name }) => name)
  const defaults = names.map(name => `${name} if its URL is set, `).join('')
  const help = `store of ${STORE_SIGNALS[signal]}; default ${defaults}else ${EMBEDDED}`
  return setting(choice(EMBEDDED, ...names), null, help)
}

/** The setting that names the store of each signal, and those of the engines. */
export function storeSettings(engines: Engines): SettingsTable {
  const stores = SIGNALS.map(signal => [`${signal}_store`, storeSetting(signal, engines)] as const)
  return Object.assign(Object.fromEntries(stores), ...engines.map(({ settings }) => settings)) as SettingsTable
}

/** As `storeSettings`, of all engines that there are. */
export const STORE_SETTINGS = storeSettings(ENGINES) as StoreSettings

function chosenFor(signal: StoreSignal, given: Readonly<Record<string, unknown>>, engines: Engines): string {
  const named = given[`${signal}Store`] as string | null
  return named ?? enginesOf(signal, engines).find(engine => engine.isConfigured(given))?.name ?? EMBEDDED
}

/** A signal uses the managed store that has an address, unless its own setting overrides that. */
export function chooseStores(given: Readonly<Record<string, unknown>>, engines: Engines = ENGINES): ChosenStores {
  return Object.fromEntries(SIGNALS.map(signal => [`${signal}Store`, chosenFor(signal, given, engines)])) as ChosenStores
}

/** What contradicts itself or is incomplete, each as a sentence. */
export function storeContradictions(given: Readonly<Record<string, unknown>>, engines: Engines = ENGINES): string[] {
  return engines.flatMap(engine => {
    const { name, signals, address } = engine
    const isMissing = !engine.isConfigured(given)
    const missing = signals.flatMap(signal =>
      isMissing && given[`${signal}Store`] === name ? [`${signal}_store is ${name}, but ${address} is missing`] : []
    )
    return [...missing, ...engine.contradictions(given).flatMap(([isWrong, sentence]) => (isWrong ? [sentence] : []))]
  })
}
