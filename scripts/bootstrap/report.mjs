// Progress goes to stderr, because stdout is reserved for `--json`.

const QUIET_MS = 1_500
const REMINDER_MS = 15_000

/** An error for the person at the terminal, shown without a stack. */
export class SetupError extends Error {}

/** Writes one line for the person at the terminal. */
export function say(line) {
  process.stderr.write(`${line}\n`)
}

/** Runs `work` and reports `title` if it takes longer than 1.5 seconds, again every 15 seconds, and at its end. */
export async function withProgress(title, work) {
  const startedAt = Date.now()
  const seconds = () => Math.round((Date.now() - startedAt) / 1000)
  let announced = false
  const announce = setTimeout(() => {
    announced = true
    say(`  … ${title}`)
  }, QUIET_MS)
  const reminder = setInterval(() => say(`  … ${title} (${seconds()} s)`), REMINDER_MS)
  try {
    const result = await work()
    if (announced) say(`  ✓ ${title} (${seconds()} s)`)
    return result
  } finally {
    clearTimeout(announce)
    clearInterval(reminder)
  }
}
