// V8 keeps what `Object.create(null)` makes as a hash table, and objects of a constructor as fields of a shared shape, which it
// walks and writes as JSON in a fraction of the time.
function Bare(this: object): void {}
Bare.prototype = Object.freeze(Object.create(null) as object)

/** An object that inherits nothing, so that any name a sender chose is only a name in it: `__proto__`, `constructor`. */
export function bareObject<Value>(): Record<string, Value> {
  return new (Bare as unknown as new () => Record<string, Value>)()
}
