// Built-in functions of the browser as they are in a new frame, so that a script that has replaced those of
// the page does not affect the guard. Each is a function whose first argument is the object. Built-ins that
// the browser does not have return undefined, as all do before `captureBuiltIns`.

type Globals = typeof globalThis
type Instance<O extends keyof Globals> = Globals[O] extends { prototype: infer P } ? P : never
type Arguments<F> = F extends (...args: infer A) => unknown ? A : never
type Result<F> = F extends (...args: never[]) => infer R ? R : never
type Kind = 'value' | 'get' | 'set'
type BuiltIn = (...args: unknown[]) => unknown

let apply: typeof Reflect.apply
let getOwnPropertyDescriptor: typeof Reflect.getOwnPropertyDescriptor
let setPrototypeOf: typeof Reflect.setPrototypeOf
const captures: ((realm: Globals) => void)[] = []

/**
 * Captures the built-ins from a new frame, all at once. A script that replaces them in every frame before
 * the page loads is not noticed (`docs/protection.md`). Throws if the page cannot have a frame.
 */
export function captureBuiltIns(): void {
  const frame = document.createElement('iframe')
  document.documentElement.append(frame)
  const realm = frame.contentWindow as Globals | null
  if (!realm) throw new Error('no frame to take the built-ins from')
  ;({ apply, getOwnPropertyDescriptor, setPrototypeOf } = realm.Reflect)
  for (let index = 0; index < captures.length; index++) captures[index]?.(realm)
  frame.remove()
}

/** Captures a method of the instances of `owner`. */
export function method<O extends keyof Globals, M extends keyof Instance<O> & string>(
  owner: O,
  name: M,
) {
  const built = member(owner, name, 'value')
  return (self: Instance<O>, ...args: Arguments<Instance<O>[M]>) =>
    (built.value && apply(built.value, self, args)) as Result<Instance<O>[M]>
}

/** Captures the getter of a property of the instances of `owner`. */
export function getter<O extends keyof Globals, M extends keyof Instance<O> & string>(
  owner: O,
  name: M,
) {
  const built = member(owner, name, 'get')
  return (self: Instance<O>) => (built.value && apply(built.value, self, [])) as Instance<O>[M]
}

/** Captures the setter of a property of the instances of `owner`. */
export function setter<O extends keyof Globals, M extends keyof Instance<O> & string>(
  owner: O,
  name: M,
) {
  const built = member(owner, name, 'set')
  return (self: Instance<O>, value: Instance<O>[M]): void => {
    if (built.value) apply(built.value, self, [value])
  }
}

type WindowProperty =
  'innerWidth' | 'innerHeight' | 'devicePixelRatio' | 'crypto' | 'performance' | 'scheduler'
type WindowValue = 'Math' | 'Uint16Array' | 'MutationObserver'
type WindowFunction = 'getComputedStyle' | 'setTimeout' | 'matchMedia' | 'parseFloat' | 'fetch'

/** Captures a function of the window. */
export function windowFunction<M extends WindowFunction>(name: M) {
  const built = ofWindow(name, 'value')
  return (...args: Arguments<Globals[M]>) =>
    (built.value && apply(built.value, globalThis, args)) as Result<Globals[M]>
}

/** Captures the getter of a property of the window. */
export function windowGetter<M extends WindowProperty>(name: M) {
  const built = ofWindow(name, 'get')
  return () => (built.value && apply(built.value, globalThis, [])) as Globals[M] | undefined
}

/** Captures a constructor whose instances also work for this page, or a namespace such as `Math`. */
export function windowValue<M extends WindowValue>(name: M): () => Globals[M] {
  const built = capture((realm) => realm[name] as unknown as BuiltIn)
  return () => built.value as unknown as Globals[M]
}

/** Options without a prototype, to which a script may have added further options. */
export function plain<T extends object>(options: T): T {
  setPrototypeOf(options, null)
  return options
}

const textOf = member('Function', 'toString', 'value')

/** True if the page's own constructor of this name is the browser's. The text of another has no such name. */
export function isNative(name: 'CSSStyleSheet'): boolean {
  const own = getOwnPropertyDescriptor(globalThis, name)?.value as object
  const text = textOf.value && apply(textOf.value, own, [])
  const chromium = `function ${name}() { [native code] }`
  const others = `function ${name}() {\n    [native code]\n}`
  return text === chromium || text === others
}

interface Captured {
  value?: BuiltIn | undefined
}

function capture(find: (realm: Globals) => BuiltIn | undefined): Captured {
  const built: Captured = {}
  captures[captures.length] = (realm) => (built.value = find(realm))
  return built
}

function member(owner: keyof Globals, name: string, kind: Kind): Captured {
  const prototype = (realm: Globals) =>
    (realm[owner] as { prototype: object } | undefined)?.prototype
  return capture((realm) => read(prototype(realm), name, kind))
}

const ofWindow = (name: string, kind: Kind): Captured => capture((realm) => read(realm, name, kind))

const read = (object: object | undefined, name: string, kind: Kind): BuiltIn | undefined =>
  object && (getOwnPropertyDescriptor(object, name)?.[kind] as BuiltIn | undefined)
