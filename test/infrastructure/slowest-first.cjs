const { default: Sequencer } = require('@jest/test-sequencer')

/** Whole services, browsers, encoders, and thousands of requests. */
const SLOW = /\/(test|media|activities)\/|-in-chromium\.|hostile-input\./

/**
 * Starts the slowest files first, so that no long one is left to one worker at the end of a run. Jest knows how
 * long a file took in the last run; of files without a last run, those that match SLOW are started first.
 */
module.exports = class SlowestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests)
    const isSlow = ({ path, duration }) => duration === undefined && SLOW.test(path)
    return [...sorted.filter(isSlow), ...sorted.filter((test) => !isSlow(test))]
  }
}
