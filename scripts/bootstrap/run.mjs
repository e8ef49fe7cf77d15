#!/usr/bin/env node
// npm start, demo, test, bench, chaos and reelgate begin here: install what is missing, then run
// the command with the pinned Node. Only Node's own modules, and nothing newer than Node 20.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { compileCacheDir, inheritedEnvironment, pinnedNode, projectDir } from './environment.mjs'
import { ensureNpmPackages } from './npm-packages.mjs'
import { say, SetupError } from './report.mjs'
import { ensureS3Server } from './s3-server.mjs'
import { ensureSchemathesis } from './schemathesis.mjs'
import { ensureChromium, ensureFfmpeg } from './system-packages.mjs'
import { ensureTemporalServer } from './temporal-server.mjs'
import { ensureTimeSkippingServer } from './time-skipping-server.mjs'

const toServe = [ensureNpmPackages, ensureFfmpeg, ensureTemporalServer]
const COMMANDS = {
  start: { script: 'scripts/start.ts', needs: toServe },
  demo: { script: 'scripts/demo.ts', needs: toServe },
  cli: { script: 'cli/main.ts', needs: [ensureNpmPackages] },
  bench: { script: 'bench/run.ts', needs: [...toServe, ensureChromium] },
  chaos: { script: 'test/chaos/run.ts', needs: toServe },
  fuzz: { script: 'test/fuzz/run.ts', needs: [ensureNpmPackages, ensureSchemathesis] },
  test: {
    script: 'scripts/run-tests.ts',
    needs: [...toServe, ensureChromium, ensureS3Server, ensureTimeSkippingServer],
  },
}

async function main([name, ...args]) {
  const command = COMMANDS[name]
  if (!command)
    throw new SetupError(`usage: run.mjs ${Object.keys(COMMANDS).join('|')} [arguments]`)
  const script = join(projectDir, command.script)
  if (!existsSync(script)) throw new SetupError(`${command.script} is not part of this version`)
  // Side by side: the packages come over the network while the compiler has the processor.
  await Promise.all(command.needs.map((ensure) => ensure()))
  runScript(script, args)
}

/** Runs the script to its end, handing on signals, and ends as it ended. */
function runScript(script, args) {
  // The channel tells the script when this process is gone, even by kill -9.
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
