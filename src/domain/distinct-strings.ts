/** Strings by their place in a list that has each once: series of a metric share most of what their labels say. */
export class DistinctStrings {
  readonly list: string[] = []
  readonly #places = new Map<string, number>()

  placeOf(text: string): number {
    let place = this.#places.get(text)
    if (place === undefined) this.#places.set(text, (place = this.list.push(text) - 1))
    return place
  }
}
