#!/usr/bin/env node
// The entry point of npm start, demo, test, bench, chaos, fuzz and reelgate: installs what is missing
// and runs the script with the pinned Node. Uses only built-in modules and features of Node 18.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { compileCacheDir, inheritedEnvironment, pinnedNode, projectDir } from './environment.mjs'
import { ensureNpmPackages } from './npm-packages.mjs'
import { say, SetupError } from './report.mjs'
import {
  ensureChromium,
  ensureCurl,
  ensureFfmpeg,
  ensurePgbouncer,
  tryHeadlessShell,
} from './system-packages.mjs'
import { ensureTemporalServer } from './temporal-server.mjs'
import { ensurePromtool, ensureS3Server, ensureSchemathesis } from './test-programs.mjs'
import { ensureTimeSkippingServer } from './time-skipping-server.mjs'

const productionPackages = () => ensureNpmPackages({ withDevelopment: false })
const allPackages = () => ensureNpmPackages({ withDevelopment: true })
const toServe = [productionPackages, ensureFfmpeg, ensureTemporalServer]
const toDevelop = [allPackages, ensureFfmpeg, ensureTemporalServer]
const toTest = [...toDevelop, ensureCurl, ensurePgbouncer]
const SCRIPTS = {
  start: { script: 'scripts/start.ts', needs: toServe },
  demo: { script: 'scripts/demo.ts', needs: toServe },
  cli: { script: 'cli/main.ts', needs: [productionPackages] },
  bench: { script: 'bench/main.ts', needs: [...toDevelop, ensureChromium] },
  chaos: { script: 'test/chaos/run.ts', needs: [...toDevelop, ensureS3Server] },
  'verify-upgrade': { script: 'test/upgrade/run.ts', needs: toDevelop },
  audience: { script: 'test/audience/run.ts', needs: toDevelop },
  import: { script: 'test/moving/run.ts', needs: toDevelop },
  uploads: { script: 'test/uploads/run.ts', needs: [...toDevelop, ensureChromium] },
  fuzz: { script: 'test/fuzz/run.ts', needs: [allPackages, ensureSchemathesis] },
  compose: {
    script: 'test/compose/run.ts',
    needs: [allPackages, ensureFfmpeg, ensureChromium],
  },
  looks: {
    script: 'test/looks/run.ts',
    needs: [...toDevelop, ensureChromium, tryHeadlessShell],
  },
  release: { script: 'scripts/release.ts', needs: toDevelop },
  newcomer: { script: 'test/newcomer/run.ts', needs: [allPackages] },
  check: { script: 'scripts/check.ts', needs: [allPackages] },
  'test-fast': {
    script: 'scripts/run-tests.ts',
    needs: [...toTest, ensureS3Server, ensurePromtool, ensureTimeSkippingServer],
  },
  patterns: { script: 'test/patterns/run.ts', needs: [allPackages] },
  clients: { script: 'test/clients/run.ts', needs: toDevelop },
  kubernetes: { script: 'test/kubernetes/run.ts', needs: [allPackages] },
  test: {
    script: 'scripts/run-tests.ts',
    needs: [
      ...toTest,
      ensureChromium,
      tryHeadlessShell,
      ensureS3Server,
      ensurePromtool,
      ensureTimeSkippingServer,
    ],
  },
}

const OLDEST_NODE = 18

async function main([name, ...args]) {
  checkNode()
  const entry = SCRIPTS[name]
  if (!entry) throw new SetupError(`usage: run.mjs ${Object.keys(SCRIPTS).join('|')} [arguments]`)
  const script = join(projectDir, entry.script)
  if (!existsSync(script)) throw new SetupError(`${entry.script} is not part of this version`)
  // In parallel, because packages need the network and builds the processor.
  await Promise.all(entry.needs.map((ensure) => ensure()))
  runScript(script, args)
}

/** The npm packages contain the Node that runs Reelgate, but an older one could not install them. */
function checkNode() {
  const { node } = process.versions
  if (Number.parseInt(node) < OLDEST_NODE)
    throw new SetupError(
      `Node ${OLDEST_NODE} or later is needed, and this is Node ${node}: install a newer one, then run this again.`,
    )
}

/** Runs the script, forwards signals to it, and exits with its status. */
function runScript(script, args) {
  // The channel closes when this process ends, even after kill -9.
  const child = spawn(pinnedNode, ['--no-warnings', script, ...args], {
    env: { ...inheritedEnvironment(), NODE_COMPILE_CACHE: compileCacheDir },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => fail(error))
  child.on('exit', (status, signal) => process.exit(status ?? 128 + constants.signals[signal]))
}

function fail(error) {
  say(error instanceof SetupError ? `\n${error.message}` : error.stack)
  process.exit(1)
}

main(process.argv.slice(2)).catch(fail)
