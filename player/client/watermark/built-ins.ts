/**
 * Takes built-ins when this module loads, as functions of the object that they work on: a script that
 * replaces one later deceives other code, not the guard. One that is already replaced comes from a
 * fresh frame instead. What the browser does not have returns undefined.
 */
const { apply, getOwnPropertyDescriptor } = Reflect
const functionText = getOwnPropertyDescriptor(Function.prototype, 'toString')?.value as BuiltIn

type Globals = typeof globalThis
type Instance<O extends keyof Globals> = Globals[O] extends { prototype: infer P } ? P : never
type Arguments<F> = F extends (...args: infer A) => unknown ? A : never
type Result<F> = F extends (...args: never[]) => infer R ? R : never
type Kind = 'value' | 'get' | 'set'
type BuiltIn = (...args: unknown[]) => unknown

/** Returns a method of the instances of `owner`. */
export function method<O extends keyof Globals, M extends keyof Instance<O> & string>(
  owner: O,
  name: M,
) {
  const found = member(owner, name, 'value')
  return (self: Instance<O>, ...args: Arguments<Instance<O>[M]>) =>
    (found && apply(found, self, args)) as Result<Instance<O>[M]>
}

/** Returns what reads a property of the instances of `owner`. */
export function getter<O extends keyof Globals, M extends keyof Instance<O> & string>(
  owner: O,
  name: M,
) {
  const found = member(owner, name, 'get')
  return (self: Instance<O>) => (found && apply(found, self, [])) as Instance<O>[M]
}

/** Returns what sets a property of the instances of `owner`. */
export function setter<O extends keyof Globals, M extends keyof Instance<O> & string>(
  owner: O,
  name: M,
) {
  const found = member(owner, name, 'set')
  return (self: Instance<O>, value: Instance<O>[M]): void => {
    if (found) apply(found, self, [value])
  }
}

/** Returns a function of the window. */
export function ofWindow<M extends 'getComputedStyle' | 'setTimeout'>(name: M) {
  const found = genuine((realm) => realm, name, 'value')
  return (...args: Arguments<Globals[M]>) =>
    (found && apply(found, globalThis, args)) as Result<Globals[M]>
}

/** Returns what reads a number of the window. */
export function numberOfWindow(name: 'devicePixelRatio'): () => number {
  const found = genuine((realm) => realm, name, 'get')
  return () => Number(found && apply(found, globalThis, []))
}

const member = (owner: keyof Globals, name: string, kind: Kind): BuiltIn | undefined =>
  genuine((realm) => (realm[owner] as { prototype: object } | undefined)?.prototype, name, kind)

function genuine(
  holder: (realm: Globals) => object | undefined,
  name: string,
  kind: Kind,
): BuiltIn | undefined {
  const find = (realm: Globals): BuiltIn | undefined => {
    const object = holder(realm)
    return object && (getOwnPropertyDescriptor(object, name)?.[kind] as BuiltIn | undefined)
  }
  const own = find(globalThis)
  return own && !isGenuine(own, name) ? (fromFreshFrame(find) ?? own) : own
}

/** A function of a script shows its source; a bound one and a proxy show no name. */
const isGenuine = (found: BuiltIn, name: string): boolean =>
  new RegExp(`^function ([gs]et )?${name}\\(\\)\\s*{\\s*\\[native code\\]\\s*}$`).test(
    String(apply(functionText, found, [])),
  )

function fromFreshFrame<T>(find: (realm: Globals) => T): T | undefined {
  const frame = document.createElement('iframe')
  document.documentElement.append(frame)
  const realm = frame.contentWindow as Globals | null
  // A window forgets its built-ins with its frame.
  const found = realm ? find(realm) : undefined
  frame.remove()
  return found
}
