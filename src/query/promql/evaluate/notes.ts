/** What a query should know about its answer; each sentence once. */
export class Notes {
  readonly #warnings = new Set<string>()
  readonly #infos = new Set<string>()

  warn(sentence: string): void {
    this.#warnings.add(`PromQL warning: ${sentence}`)
  }

  inform(sentence: string): void {
    this.#infos.add(`PromQL info: ${sentence}`)
  }

  get warnings(): readonly string[] {
    return [...this.#warnings]
  }

  get infos(): readonly string[] {
    return [...this.#infos]
  }
}
