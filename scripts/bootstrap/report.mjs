import { wantsPlainOutput } from './environment.mjs'
import { createProgress } from './progress.mjs'

/** An error for the person at the terminal, shown without a stack. */
export class SetupError extends Error {}

// Progress goes to stderr, because stdout is reserved for `--json`.
const isInteractive = Boolean(process.stderr.isTTY) && !wantsPlainOutput()
const progress = createProgress(process.stderr, isInteractive)
process.on('exit', progress.clear)

/** Writes one line for the person at the terminal. */
export const say = progress.say

/**
 * Runs `work` and reports `title`: on a terminal in a line that updates, elsewhere in plain lines
 * after 1.5 seconds, every 15 seconds, and at its end.
 */
export const withProgress = progress.withProgress

/** Reports that `done` of `total` bytes of the current part have arrived. */
export const reportBytes = progress.reportBytes
