import { readdirSync, readFileSync } from 'node:fs'
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js'
import { Worker } from '@temporalio/worker'
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { someOf } from '../test/infrastructure/every-case.ts'
import { installQuietRuntime } from '../test/infrastructure/quiet-runtime.ts'
import { bundledWorkflows } from '../test/infrastructure/services.ts'

// Encodes and deliveries take hours, so running workflows must continue
// with new code. After an intended change of the history, record again: `temporal
// workflow show --output json`, without the stack traces.
const folder = new URL('../test/histories/', import.meta.url)
const namesOf = (prefix: string) => readdirSync(folder).filter((name) => name.startsWith(prefix))

const WORKFLOWS = [
  {
    subject: 'a video',
    names: namesOf('ingest-video-'),
    recordedAtLeast: 20,
    sample: 'ingest-video-ready.json',
    activity: 'finishVideo',
  },
  {
    subject: 'the chunks of a long video',
    names: namesOf('encode-chunks-'),
    recordedAtLeast: 3,
    sample: 'encode-chunks-done.json',
    activity: 'encodeChunk',
  },
  {
    subject: 'the tickets of a long video',
    names: namesOf('encode-tickets-'),
    recordedAtLeast: 2,
    sample: 'encode-tickets-done-by-reads.json',
    activity: 'encodeLaterChunk',
  },
  {
    subject: 'a delivery',
    names: namesOf('deliver-webhook-'),
    recordedAtLeast: 8,
    sample: 'deliver-webhook-failed-five-times.json',
    activity: 'sendWebhook',
  },
  {
    subject: 'a replay',
    names: namesOf('replay-webhooks-'),
    recordedAtLeast: 2,
    sample: 'replay-webhooks-completed.json',
    activity: 'replayBatch',
  },
  {
    subject: 'an import',
    names: namesOf('import-videos-'),
    recordedAtLeast: 2,
    sample: 'import-videos-completed.json',
    activity: 'advanceImport',
  },
  {
    subject: 'the retention',
    names: namesOf('purge-history-'),
    recordedAtLeast: 2,
    sample: 'purge-history-done.json',
    activity: 'purgeDeliveries',
  },
  {
    subject: 'the sweep',
    names: namesOf('sweep-outbox-'),
    recordedAtLeast: 2,
    sample: 'sweep-outbox-by-kind.json',
    activity: 'sweepWork',
  },
  {
    subject: 'the objects',
    names: namesOf('reconcile-objects-'),
    recordedAtLeast: 2,
    sample: 'reconcile-objects-done.json',
    activity: 'removeUnusedObjects',
  },
  {
    subject: 'a rotation of the master key',
    names: namesOf('rotate-master-key-'),
    recordedAtLeast: 3,
    sample: 'rotate-master-key-done.json',
    activity: 'resealValues',
  },
  {
    subject: 'a deleted account',
    names: namesOf('delete-account-'),
    recordedAtLeast: 1,
    sample: 'delete-account-done.json',
    activity: 'removeAccount',
  },
  {
    subject: 'a deleted or disabled endpoint',
    names: namesOf('settle-endpoint-'),
    recordedAtLeast: 2,
    sample: 'settle-endpoint-deleted.json',
    activity: 'clearEndpoint',
  },
  {
    subject: 'a record store',
    names: namesOf('deliver-statements-'),
    recordedAtLeast: 1,
    sample: 'deliver-statements-divided.json',
    activity: 'sendStatements',
  },
  {
    subject: 'an uploaded poster',
    names: namesOf('set-poster-'),
    recordedAtLeast: 1,
    sample: 'set-poster-done.json',
    activity: 'setPoster',
  },
]

/** The error of each replay, or undefined, by what was replayed. */
const errors = new Map<string, unknown>()

const read = (name: string): { events: { eventId: string }[] } =>
  JSON.parse(readFileSync(new URL(name, folder), 'utf8'))

const firstHalfOf = (name: string) => `the first half of ${name}`
const alteredOf = (name: string) => `an altered ${name}`
const halved = (names: string[]) => someOf(names, 4)

/** What is replayed of a workflow: the altered history first, so that the others show that the worker has left it. */
function* replaysOf({ names, sample, activity }: (typeof WORKFLOWS)[number]) {
  const altered = JSON.stringify(read(sample)).replaceAll(`"${activity}"`, '"fadeOut"')
  yield [alteredOf(sample), JSON.parse(altered)] as const
  for (const name of names) yield [name, read(name)] as const
  for (const name of halved(names)) {
    const { events } = read(name)
    const half = events.slice(0, 1 + Math.floor(events.length / 2))
    yield [firstHalfOf(name), { events: half }] as const
  }
}

async function* allReplays() {
  for (const workflow of WORKFLOWS)
    for (const [workflowId, history] of replaysOf(workflow))
      yield { workflowId, history: historyFromJSON(history) }
}

// A replay runs workflows in this thread. Its hooks of promises and of stack traces stay, and would fail the tests of
// other files in the same process.
afterAll(() => globalHandlers.uninstall())

// One worker replays all: its start takes as long as several replays.
beforeAll(async () => {
  installQuietRuntime()
  const workflowBundle = await bundledWorkflows()
  for await (const { workflowId, error } of Worker.runReplayHistories(
    { workflowBundle },
    allReplays(),
  ))
    errors.set(workflowId, error)
})

/** The error of a replay, which must have been made. */
function errorOf(replayed: string): unknown {
  expect([...errors.keys()]).toContain(replayed)
  return errors.get(replayed)
}

describe.each(WORKFLOWS)('the workflow of $subject', ({ names, recordedAtLeast, sample }) => {
  it('replays every recorded history', () => {
    for (const name of names) expect({ name, error: errorOf(name) }).toEqual({ name })
    expect(names.length).toBeGreaterThanOrEqual(recordedAtLeast)
  })

  it.each(halved(names))('replays the first half of %s', (name) => {
    expect(errorOf(firstHalfOf(name))).toBeUndefined()
  })

  it('does not replay an altered history', () => {
    expect(errorOf(alteredOf(sample))).toBeInstanceOf(Error)
  })

  it('has recorded no link and no path of a machine', () => {
    for (const name of names) expect(JSON.stringify(read(name))).not.toMatch(/https?:|\.ts:\d/)
  })
})
