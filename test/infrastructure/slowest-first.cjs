const fs = require('node:fs')
const path = require('node:path')
const { default: Sequencer } = require('@jest/test-sequencer')

const projectDir = path.join(__dirname, '../..')
const RECORD = path.join(projectDir, 'scripts/testing/durations.json')
const recorded = fs.existsSync(RECORD) ? JSON.parse(fs.readFileSync(RECORD, 'utf8')) : {}
// Files that are not in the record took less than five seconds.
const USUAL_SECONDS = 2

const pathOf = (test) => path.relative(projectDir, test.path).split(path.sep).join('/')
const secondsOf = (test) => recorded[pathOf(test)] ?? USUAL_SECONDS
const bySeconds = (a, b) => secondsOf(b) - secondsOf(a) || (pathOf(a) < pathOf(b) ? -1 : 1)

/**
 * Starts the slowest files first, so that no long one is left to one worker at the end of a run, and gives each
 * shard files of about the same time. Uses the recorded durations, which are the same on every machine.
 */
module.exports = class SlowestFirst extends Sequencer {
  sort(tests) {
    return [...tests].sort(bySeconds)
  }

  shard(tests, { shardIndex, shardCount }) {
    const shards = Array.from({ length: shardCount }, () => ({ seconds: 0, tests: [] }))
    for (const test of this.sort(tests)) {
      const shortest = shards.reduce((a, b) => (b.seconds < a.seconds ? b : a))
      shortest.tests.push(test)
      shortest.seconds += secondsOf(test)
    }
    return shards[shardIndex - 1].tests
  }
}
