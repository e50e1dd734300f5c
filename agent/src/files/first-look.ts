import { placeKey, type SeenFile, seeFile } from './file-state.js'
import type { FilePlace } from './open-file.js'
import type { Source } from './source.js'
import type { RecoveredPattern } from '../recover/recover-streams.js'

type Start = 'end' | 'beginning'

/** Sizes of the files of all sources now, by their place. */
export async function sizesNow(sources: readonly Source[]): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>()
  for (const source of sources)
    for (const path of await source.paths()) {
      const seen = await seeFile(path)
      if (seen !== null) sizes.set(placeKey(seen), seen.size)
    }
  return sizes
}

/** Where files begin that the first look of an agent finds, and that no stream reads. */
export class FirstLook {
  readonly #sizes: ReadonlyMap<string, number> | null
  readonly #recovered: ReadonlyMap<string, RecoveredPattern>

  /** @param sizes when the agent started; null: it did not wait since. @param recovered of an agent that lost its journal. */
  constructor(sizes: ReadonlyMap<string, number> | null = null, recovered: ReadonlyMap<string, RecoveredPattern> = new Map()) {
    this.#sizes = sizes
    this.#recovered = recovered
  }

  /** @param isFirst nothing is known of the pattern. */
  startAt({ file, glob }: Source, seen: SeenFile, isFirst: boolean): Start {
    if (isFirst) return this.#cameLater(seen) ? 'beginning' : file.startAt
    const recovered = this.#recovered.get(glob.pattern)
    if (recovered === undefined) return 'beginning'
    if (seen.mtimeMs < recovered.lookedAtMs) return 'end'
    // There before the earlier agent, which began at its end.
    return file.startAt === 'end' && seen.bornMs > 0 && seen.bornMs < recovered.firstMs ? 'end' : 'beginning'
  }

  /** The end of a file: what was written while the agent waited for the service is read. */
  endOf(place: FilePlace, size: number): number {
    return Math.min(size, this.#sizes?.get(placeKey(place)) ?? size)
  }

  /** Whether a file was there when the agent started, and the agent waited since. */
  wasThere(place: FilePlace): boolean {
    return this.#sizes?.has(placeKey(place)) ?? false
  }

  #cameLater(place: FilePlace): boolean {
    return this.#sizes !== null && !this.wasThere(place)
  }
}
