import { maskedCommand } from './mask-command.js'

/** Command lines without their secrets. Those of the collection before are not searched for secrets again. */
export class MaskedCommands {
  #before = new Map<string, string | null>()
  #now = new Map<string, string | null>()

  /** A collection begins. */
  begin(): void {
    this.#before = this.#now
    this.#now = new Map()
  }

  /** As `maskedCommand`. */
  masked(cmdline: string): string | null {
    const found = this.#now.get(cmdline) ?? this.#before.get(cmdline) ?? maskedCommand(cmdline)
    this.#now.set(cmdline, found)
    return found
  }
}
