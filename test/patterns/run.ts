// npm run verify:patterns: finds regular expressions of the product that take more than linear time for some text. A text
// from outside must not keep a process busy: 271 characters of a log, or a header of 2,000 colons, have.
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import pLimit from 'p-limit'
import { ensurePatternChecker } from '../../scripts/bootstrap/tools.mjs'
import { findPatterns, type Pattern } from './find-patterns.ts'
import { TOLERATED } from './tolerated-patterns.ts'

/** Of one pattern. What takes longer is not known. */
const CHECK_TIMEOUT_MS = 20_000

/** What recheck says of a pattern. */
interface Verdict {
  status: 'safe' | 'vulnerable' | 'unknown'
  complexity?: { summary: string }
}
type Check = (source: string, flags: string, options: { timeout: number }) => Promise<Verdict>

const tell = (line: string): void => void process.stdout.write(`${line}\n`)

async function main(): Promise<void> {
  const require = createRequire(import.meta.url)
  const { check } = require(await ensurePatternChecker()) as { check: Check }
  const patterns = findPatterns()
  const limit = pLimit(availableParallelism())
  const verdicts = await limit.map(patterns, (pattern) => judge(check, pattern))
  const slow = patterns.filter((_, index) => verdicts[index] === 'slow')
  const unknown = verdicts.filter((verdict) => verdict === 'unknown').length
  const unused = Object.keys(TOLERATED).filter((text) => !slow.some((one) => one.text === text))
  for (const text of unused) tell(`✗ ${text} is tolerated, and not found or not slow any more`)
  const wrong = slow.filter(({ text }) => !Object.hasOwn(TOLERATED, text)).length + unused.length
  tell(
    `${patterns.length} patterns: ${wrong} wrong, ${slow.length} slow, ${unknown} not decided in ${CHECK_TIMEOUT_MS / 1000} s`,
  )
  process.exitCode = wrong > 0 ? 1 : 0
}

async function judge(check: Check, { place, text }: Pattern): Promise<'fast' | 'slow' | 'unknown'> {
  const end = text.lastIndexOf('/')
  const options = { timeout: CHECK_TIMEOUT_MS }
  const { status, complexity } = await check(text.slice(1, end), text.slice(end + 1), options)
  if (status === 'safe') return 'fast'
  if (status === 'unknown') {
    tell(`? ${place} ${text}`)
    return 'unknown'
  }
  if (!Object.hasOwn(TOLERATED, text)) tell(`✗ ${place} ${text}: ${complexity?.summary ?? ''}`)
  return 'slow'
}

await main()
