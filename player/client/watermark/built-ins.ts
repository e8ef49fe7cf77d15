// Captures built-ins of the browser when this module loads, as functions whose first argument is the
// object. A script that replaces a built-in later does not affect the guard. A built-in that is already
// replaced is taken from a new frame. Built-ins that the browser does not have return undefined.

const { apply, getOwnPropertyDescriptor } = Reflect
const functionText = getOwnPropertyDescriptor(Function.prototype, 'toString')?.value as BuiltIn

type Globals = typeof globalThis
type Instance<O extends keyof Globals> = Globals[O] extends { prototype: infer P } ? P : never
type Arguments<F> = F extends (...args: infer A) => unknown ? A : never
type Result<F> = F extends (...args: never[]) => infer R ? R : never
type Kind = 'value' | 'get' | 'set'
type BuiltIn = (...args: unknown[]) => unknown

/** Captures a method of the instances of `owner`. */
export function method<O extends keyof Globals, M extends keyof Instance<O> & string>(
  owner: O,
  name: M,
) {
  const found = member(owner, name, 'value')
  return (self: Instance<O>, ...args: Arguments<Instance<O>[M]>) =>
    (found && apply(found, self, args)) as Result<Instance<O>[M]>
}

/** Captures the getter of a property of the instances of `owner`. */
export function getter<O extends keyof Globals, M extends keyof Instance<O> & string>(
  owner: O,
  name: M,
) {
  const found = member(owner, name, 'get')
  return (self: Instance<O>) => (found && apply(found, self, [])) as Instance<O>[M]
}

/** Captures the setter of a property of the instances of `owner`. */
export function setter<O extends keyof Globals, M extends keyof Instance<O> & string>(
  owner: O,
  name: M,
) {
  const found = member(owner, name, 'set')
  return (self: Instance<O>, value: Instance<O>[M]): void => {
    if (found) apply(found, self, [value])
  }
}

/** Captures a function of the window. */
export function windowFunction<M extends 'getComputedStyle' | 'setTimeout'>(name: M) {
  const found = builtIn((realm) => realm, name, 'value')
  return (...args: Arguments<Globals[M]>) =>
    (found && apply(found, globalThis, args)) as Result<Globals[M]>
}

/** Captures the getter of a number of the window. */
export function windowNumber(name: 'devicePixelRatio'): () => number {
  const found = builtIn((realm) => realm, name, 'get')
  return () => Number(found && apply(found, globalThis, []))
}

const member = (owner: keyof Globals, name: string, kind: Kind): BuiltIn | undefined =>
  builtIn((realm) => (realm[owner] as { prototype: object } | undefined)?.prototype, name, kind)

function builtIn(
  holder: (realm: Globals) => object | undefined,
  name: string,
  kind: Kind,
): BuiltIn | undefined {
  const find = (realm: Globals): BuiltIn | undefined => {
    const object = holder(realm)
    return object && (getOwnPropertyDescriptor(object, name)?.[kind] as BuiltIn | undefined)
  }
  const own = find(globalThis)
  return own && !isNative(own, name) ? (fromNewFrame(find) ?? own) : own
}

/** The text of a script's function is its source; the text of a bound function or a proxy has no name. */
const isNative = (found: BuiltIn, name: string): boolean =>
  new RegExp(`^function ([gs]et )?${name}\\(\\)\\s*{\\s*\\[native code\\]\\s*}$`).test(
    String(apply(functionText, found, [])),
  )

function fromNewFrame<T>(find: (realm: Globals) => T): T | undefined {
  const frame = document.createElement('iframe')
  document.documentElement.append(frame)
  const realm = frame.contentWindow as Globals | null
  // Read before the frame is removed, which clears its window.
  const found = realm ? find(realm) : undefined
  frame.remove()
  return found
}
