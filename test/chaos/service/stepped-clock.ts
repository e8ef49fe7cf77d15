// Loaded before a process of the service (`--import`): its wall clock steps by the milliseconds in the file
// CLOCK_STEP_FILE. `Date` is stepped; timers and `performance.now()` are not, as on a machine whose clock is set.
import { readFileSync } from 'node:fs'

const LOOK_MS = 100
const file = process.env.CLOCK_STEP_FILE ?? ''
const RealDate = Date
let stepMs = 0

function readStep(): void {
  try {
    stepMs = Number(readFileSync(file, 'utf8')) || 0
  } catch {
    stepMs = 0
  }
}

const now = (): number => RealDate.now() + stepMs

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) =>
    name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown),
})

RealDate.prototype.constructor = globalThis.Date

readStep()
setInterval(readStep, LOOK_MS).unref()
