// npm run verify:newcomer [-- --suite]: the first minute of a newcomer, on a clean Debian in a folder. With
// --suite, root also runs `npm test` there. Fails if a limit is exceeded.
import '../../scripts/log-to-stderr.ts'
import { parseArgs } from 'node:util'
import {
  makeCleanMachine,
  receivedBytes,
  type CleanMachine,
  type CleanMachineOptions,
} from './clean-machine.ts'
import { secondsOfLine, secondsOfPart, type TimedRun } from './timed-run.ts'

/** From a fresh clone and an empty cache to a video that is `ready`. */
const LONGEST_DEMO_SECONDS = 150
const MOST_FETCHED_MB = 400
const LONGEST_SECOND_START_SECONDS = 10

const tell = (line: string): void => void process.stdout.write(`${line}\n`)
const failures: string[] = []

function check(claim: string, holds: boolean, evidence = ''): void {
  tell(`  ${holds ? '✓' : '✗'} ${claim}`)
  if (holds) return
  failures.push(claim)
  if (evidence !== '') tell(evidence)
}

async function verifyRoot(withSuite: boolean): Promise<void> {
  tell('root, from nothing')
  await onCleanMachine({ isRoot: true }, async (machine) => {
    await verifyDemo(machine)
    await verifySecondStart(machine)
    if (withSuite) await verifySuite(machine)
  })
}

async function verifyUser(): Promise<void> {
  tell('an ordinary user, with ffmpeg installed')
  await onCleanMachine({ isRoot: false }, async (machine) => {
    await machine.installPackages('ffmpeg')
    await verifyDemo(machine)
    await verifySecondStart(machine)
  })
}

async function verifyUserWithoutFfmpeg(): Promise<void> {
  tell('an ordinary user, without ffmpeg')
  await onCleanMachine({ isRoot: false }, async (machine) => {
    const run = await machine.run('npm run demo -- --exit')
    const hints = run.lines.filter(({ text }) => text.includes('apt-get install'))
    check('the demo ends with status 1', run.status === 1, run.output)
    check('one line says how to install ffmpeg', hints.length === 1, run.output)
    check('it ends within 20 seconds', run.seconds <= 20, `${run.seconds.toFixed(1)} s`)
  })
}

async function verifyOddMachine(): Promise<void> {
  tell('an ordinary user, with Node 18, a home folder that cannot be written, and ffmpeg')
  await onCleanMachine({ isRoot: false, isOdd: true }, async (machine) => {
    await machine.installPackages('ffmpeg')
    const run = await machine.run('npm run demo -- --exit')
    check('the demo ends with status 0', run.status === 0, run.output)
  })
}

async function verifyDemo(machine: CleanMachine): Promise<void> {
  const before = receivedBytes()
  const run = await machine.run('npm run demo -- --exit')
  const fetchedMb = (receivedBytes() - before) / 1e6
  check('the demo ends with status 0', run.status === 0, run.output)
  if (run.status !== 0) return
  for (const [part, seconds] of demoParts(run)) tell(`    ${part.padEnd(16)} ${seconds}`)
  check(
    `${run.seconds.toFixed(0)} s, at most ${LONGEST_DEMO_SECONDS} s`,
    run.seconds <= LONGEST_DEMO_SECONDS,
  )
  check(
    `${fetchedMb.toFixed(0)} MB fetched by this machine, at most ${MOST_FETCHED_MB} MB`,
    fetchedMb <= MOST_FETCHED_MB,
  )
}

/** The parts of the demo with their seconds. The first three are installed side by side. */
function demoParts(run: TimedRun): [string, string][] {
  const part = (pattern: RegExp): string => {
    const seconds = secondsOfPart(run, pattern)
    return seconds === null ? '-' : `${seconds} s`
  }
  const starting = secondsOfLine(run, /^Starting in /)
  const ready = secondsOfLine(run, /^Ready in /)
  return [
    ['npm packages', part(/npm packages/)],
    ['ffmpeg', part(/ffmpeg/)],
    ['Temporal server', part(/Temporal server/)],
    ['installed after', `${starting.toFixed(1)} s`],
    ['start', `${(ready - starting).toFixed(1)} s`],
    ['video', `${(run.seconds - ready).toFixed(1)} s`],
  ]
}

async function verifySecondStart(machine: CleanMachine): Promise<void> {
  const startAndStop = [
    'npm start --silent -- --json > first-line & service=$!',
    'while [ ! -s first-line ] && kill -0 $service; do sleep 0.05; done',
    'echo first line',
    'kill $service; wait $service',
  ].join('\n')
  const run = await machine.run(startAndStop)
  const seconds = secondsOfLine(run, /^first line$/)
  const isReady = run.lines.some(({ text }) => text.startsWith('Ready in '))
  check(
    `a second start takes ${seconds.toFixed(1)} s, at most ${LONGEST_SECOND_START_SECONDS} s`,
    isReady && seconds <= LONGEST_SECOND_START_SECONDS,
    run.output,
  )
}

async function verifySuite(machine: CleanMachine): Promise<void> {
  const run = await machine.run('npm test')
  tell(`    ${run.lines.at(-1)?.text ?? ''}`)
  check(`npm test passes, ${(run.seconds / 60).toFixed(1)} min`, run.status === 0, run.output)
}

async function onCleanMachine(
  options: CleanMachineOptions,
  use: (machine: CleanMachine) => Promise<void>,
): Promise<void> {
  const machine = await makeCleanMachine(options)
  try {
    await use(machine)
  } finally {
    machine.remove()
  }
}

const { values } = parseArgs({ options: { suite: { type: 'boolean', default: false } } })
if (process.getuid?.() !== 0) {
  tell('verify:newcomer needs root, for debootstrap and chroot')
  process.exit(1)
}
await verifyUserWithoutFfmpeg()
await verifyRoot(values.suite)
await verifyUser()
await verifyOddMachine()
tell(failures.length === 0 ? 'all held' : `${failures.length} failed`)
process.exitCode = failures.length === 0 ? 0 : 1
