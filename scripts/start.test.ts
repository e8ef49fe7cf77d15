import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { metricsInUse } from '../test/infrastructure/monitoring-files.ts'
import { processesOf } from '../test/infrastructure/processes.ts'
import { ensurePromtool, inheritedEnvironment, projectDir } from './bootstrap/tools.mjs'
import { freePort, isPortFree } from './embedded/ports.ts'

const VARIABLES = [
  'API_PORT',
  'PLAYER_PORT',
  'DASHBOARD_PORT',
  'TEMPORAL_PORT',
  'TEMPORAL_UI_PORT',
] as const
const METRICS = ['api', 'player', 'dashboard', 'worker'] as const
type Ports = Record<(typeof VARIABLES)[number], number>

let dataDir: string
let ports: Ports
/** The first of four. */
let metricsPort: number
const started: ChildProcess[] = []

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'Größere Videos von start.test '))
  const free = await Promise.all(VARIABLES.map(async (name) => [name, await freePort()] as const))
  ports = Object.fromEntries(free) as Ports
  metricsPort = await freePorts(METRICS.length)
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 }))

/** Returns the first of so many free ports in a row. */
async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = await freePort()
    const row = Array.from({ length: count }, (_, index) => isPortFree({ port: first + index }))
    if ((await Promise.all(row)).every(Boolean)) return first
  }
}

/** Runs `npm start -- --json` without npm, which would print a banner. */
function start({ dataDir: folder = dataDir } = {}) {
  const settings = Object.entries(ports)
  const env = {
    ...inheritedEnvironment(),
    ...Object.fromEntries(settings.map(([name, port]) => [name, String(port)])),
    METRICS_ADDRESS: `127.0.0.1:${metricsPort}`,
  }
  const run = join(projectDir, 'scripts', 'bootstrap', 'run.mjs')
  const child = spawn('node', [run, 'start', '--json', '--data-dir', folder], { env })
  started.push(child)
  const exit = once(child, 'exit').then(([status]) => status as number)
  return { child, exit, stdout: text(child.stdout), stderr: text(child.stderr) }
}

/** Resolves to the line of JSON. */
async function firstLine({ child, exit, stderr }: ReturnType<typeof start>) {
  const failed = exit.then(async (status) => {
    throw new Error(`ended with ${status} before it was ready:\n${await stderr}`)
  })
  const [chunk] = (await Promise.race([once(child.stdout, 'data'), failed])) as [Buffer]
  return JSON.parse(chunk.toString()) as Record<string, string | number>
}

async function allPortsFreeWithin(patienceMs: number): Promise<boolean> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const free = await Promise.all(Object.values(ports).map((port) => isPortFree({ port })))
    if (free.every(Boolean)) return true
    if (Date.now() > deadline) return false
    await sleep(100)
  }
}

/** Checks what each process returns to Prometheus, and that it has what alerts and dashboards use. */
async function checkMetrics(): Promise<void> {
  const found = new Set<string>()
  for (const index of METRICS.keys()) {
    const response = await fetch(`http://127.0.0.1:${metricsPort + index}/metrics`)
    const exposition = await response.text()
    const checked = await execa(await ensurePromtool(), ['check', 'metrics'], {
      input: exposition,
      reject: false,
      all: true,
    })
    expect({ exitCode: checked.exitCode, all: checked.all }).toEqual({ exitCode: 0, all: '' })
    for (const [, name = ''] of exposition.matchAll(/^# TYPE (\w+) /gm)) found.add(name)
  }
  expect([...(await metricsInUse())].filter((name) => !found.has(name))).toEqual([])
  const worker = `http://127.0.0.1:${metricsPort + METRICS.indexOf('worker')}`
  expect(await (await fetch(`${worker}/readyz`)).json()).toEqual({
    status: 'ok',
    parts: {
      database: { status: 'ok' },
      storage: { status: 'ok' },
      temporal: { status: 'ok' },
      clock: { status: 'ok' },
    },
  })
}

describe('npm start', () => {
  afterEach(async () => {
    for (const child of started.splice(0)) child.kill('SIGTERM')
    await allPortsFreeWithin(25_000)
  })

  let first: Record<string, string | number>

  it('prints one line of JSON when everything is ready, refuses a second start on its folder, and stops everything on SIGTERM', async () => {
    const running = start()
    first = await firstLine(running)
    expect(first).toEqual({
      api: `http://127.0.0.1:${ports.API_PORT}`,
      player: `http://127.0.0.1:${ports.PLAYER_PORT}`,
      dashboard: `http://localhost:${ports.DASHBOARD_PORT}`,
      owner_link: expect.stringMatching(
        new RegExp(`^http://localhost:${ports.DASHBOARD_PORT}/welcome#[\\w-]{43}$`),
      ),
      temporal: `127.0.0.1:${ports.TEMPORAL_PORT}`,
      temporal_ui: `http://127.0.0.1:${ports.TEMPORAL_UI_PORT}`,
      api_key: expect.stringMatching(/^rg_live_/),
      account_id: expect.any(Number),
      data_dir: dataDir,
    })
    expect((await fetch(`${first.api}/healthz`)).status).toBe(200)
    expect((await fetch(`${first.dashboard}/healthz`)).status).toBe(200)
    expect((await fetch(`${first.temporal_ui}/`)).status).toBe(200)
    expect(readFileSync(join(dataDir, 'owner-link.txt'), 'utf8')).toBe(`${first.owner_link}\n`)
    await checkMetrics()
    for (const secret of ['master.key', 'first-account.json', 'owner-link.txt', 'runtime.json']) {
      expect(statSync(join(dataDir, secret)).mode & 0o777).toBe(0o600)
    }
    const file = join(dataDir, 'runtime.json')
    const before = readFileSync(file, 'utf8')
    const second = start()
    expect(await second.exit).toBe(1)
    expect(await second.stderr).toMatch(/already runs on .* \(process \d+\): stop it first/)
    expect(readFileSync(file, 'utf8')).toBe(before)
    running.child.kill('SIGTERM')
    expect(await running.exit).toBe(0)
    expect(existsSync(file)).toBe(false)
    expect(await allPortsFreeWithin(0)).toBe(true)
  })

  it('stops without messages or processes when interrupted during its start', async () => {
    const folder = join(dataDir, 'stopped-early')
    const running = start({ dataDir: folder })
    while (processesOf(folder).length < 3) await sleep(100)
    running.child.kill('SIGINT')
    expect(await running.exit).toBe(0)
    expect(processesOf(folder)).toEqual([])
    expect(await running.stderr).toBe(`Starting in ${folder} …\nStopping …\n`)
  })

  it('keeps its account at the second start, and ends when its bootstrap is killed', async () => {
    const running = start()
    expect(await firstLine(running)).toEqual(first)
    running.child.kill('SIGKILL')
    expect(await allPortsFreeWithin(25_000)).toBe(true)
    // The supervisor ends last and then releases the folder.
    while (processesOf(dataDir).length > 0) await sleep(50)
  })

  it('names the variable of a taken port', async () => {
    const holder = createServer().listen(ports.PLAYER_PORT, '127.0.0.1')
    await once(holder, 'listening')
    const running = start()
    expect(await running.exit).toBe(1)
    expect(await running.stderr).toContain(`PLAYER_PORT: port ${ports.PLAYER_PORT} is taken`)
    holder.close()
  })
})
