const { default: Sequencer } = require('@jest/test-sequencer')

/**
 * Starts the tests of whole services and of browsers first. They are the slowest, and a run whose files Jest
 * has not timed yet would start some of them last and leave the other workers idle at its end.
 */
module.exports = class SlowestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests)
    const isSlow = ({ path }) => /\/test\/|-in-chromium\./.test(path)
    return [...sorted.filter(isSlow), ...sorted.filter((test) => !isSlow(test))]
  }
}
