import { writeFile } from 'node:fs/promises'
import { startTestNetwork } from '../../../infrastructure/test-network.ts'
import { servePosters } from '../pictures.ts'
import { DAY, type FilledAccount } from '../rows/filled-account.ts'
import { insertListed } from '../rows/videos.ts'
import { holdTime } from '../steady-times.ts'
import { openStudio, type OpenStudio } from '../studio.ts'
import { personAt, type Effort } from './person.ts'
import { TASKS, type Place, type Task } from './tasks.ts'

/** The effort of a task, or why it could not be done. */
type Outcome = Effort | { failure: string }

/** Videos between the newest and those of last month. */
const SEMINARS = 60

/** Does each task as a person would, and prints what it costs; `jsonPath` also gets it as JSON. */
export async function measureTasks(jsonPath?: string): Promise<void> {
  const network = await startTestNetwork()
  const { port } = await network.serveHttps(['files.test'], (_request, response) =>
    response.writeHead(200, { 'Content-Type': 'video/mp4' }).end(),
  )
  network.dns.set('files.test', ['127.0.0.1'])
  const studio = await openStudio({ egress: network.egress() })
  try {
    await insertSeminars(studio)
    const place = { studio, fileUrl: `https://files.test:${port}/open-day.mp4` }
    const outcomes: Record<string, Outcome> = {}
    for (const task of TASKS) {
      outcomes[task.name] = await measure(task, place)
      process.stdout.write(`${lineOf(task.name, outcomes[task.name])}\n`)
    }
    if (jsonPath !== undefined) await writeFile(jsonPath, JSON.stringify(outcomes, null, 2))
  } finally {
    await studio.close()
    await network.close()
  }
}

async function insertSeminars({ t, accounts: { many, start } }: OpenStudio): Promise<void> {
  const account: FilledAccount = { t, accountId: many, start }
  for (let number = 1; number <= SEMINARS; number += 1) {
    const age = 9 * DAY - number
    await insertListed(account, { title: `Seminar ${number}`, age, seconds: 4 })
  }
}

const WINDOW = { width: 1440, height: 900 }

async function measure(task: Task, place: Place): Promise<Outcome> {
  const { studio } = place
  const { t, accounts, browser } = studio as OpenStudio
  const context = await browser.newContext({
    viewport: WINDOW,
    locale: 'en',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  try {
    await holdTime(context, accounts.start)
    await servePosters(context, studio)
    const overview = `${t.dashboardBase}/accounts/${accounts.many}`
    if (!task.begin) await context.addCookies([{ ...accounts.cookie, url: t.dashboardBase }])
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    await page.goto(task.begin ? await task.begin(studio) : overview)
    await page.locator('h1').first().waitFor()
    await page.waitForLoadState('networkidle')
    const person = personAt(page)
    await task.do(person, place)
    return person.effort()
  } catch (error) {
    return { failure: String(error) }
  } finally {
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  }
}

function lineOf(name: string, outcome: Outcome | undefined): string {
  if (!outcome || 'failure' in outcome) return `| ${name} | not done: ${outcome?.failure} |`
  const { clicks, keys, seconds, words } = outcome
  return `| ${name} | ${clicks} clicks | ${keys} keys | ${seconds.toFixed(1)} s | ${words} words |`
}
