/**
 * `store` with some of its methods replaced; the others go to it as they are. For stores that are class instances, whose
 * private members a copy would not have.
 */
export function withMethods<Store extends object>(store: Store, replaced: Partial<Store>): Store {
  const known = new Map<PropertyKey, unknown>()
  return new Proxy(store, {
    get(target, name) {
      if (Object.hasOwn(replaced, name)) return replaced[name as keyof Store]
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      if (!known.has(name)) known.set(name, member.bind(target))
      return known.get(name)
    }
  })
}
