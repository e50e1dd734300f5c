/** Maps each distinct string to its index in a list: series of a metric share most of their label values. */
export class DistinctStrings {
  readonly list: string[] = []
  readonly #places = new Map<string, number>()

  placeOf(text: string): number {
    let place = this.#places.get(text)
    if (place === undefined) this.#places.set(text, (place = this.list.push(text) - 1))
    return place
  }
}
