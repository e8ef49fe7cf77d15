import type { Locator, Page } from 'playwright-core'
import { createInvitation } from '../../../../commands/members/invitations.ts'
import { OWNER } from '../accounts.ts'
import type { Studio } from '../pages.ts'
import { KEY_NAME } from '../rows/people.ts'
import { FOLDERS } from '../rows/titles.ts'
import { FAILING_URL } from '../rows/webhooks.ts'
import type { Person } from './person.ts'

/** Something that an owner wants, from the overview of the account to the result. */
export interface Task {
  name: string
  /** Where it begins; by default the overview. */
  begin?: (studio: Studio) => Promise<string>
  do: (person: Person, place: Place) => Promise<void>
}

/** What a task is done on. */
export interface Place {
  studio: Studio
  /** An https address that a video can be downloaded from. */
  fileUrl: string
}

/** Names of a control, before and after changes of the pages. */
const named = (page: Page, role: 'link' | 'button' | 'tab', name: string | RegExp): Locator =>
  page.getByRole(role, typeof name === 'string' ? { name, exact: true } : { name })

/** A control of the content: a link, a button or a tab. */
const control = (page: Page, name: string | RegExp): Locator => {
  const main = page.getByRole('main')
  const options = typeof name === 'string' ? { name, exact: true } : { name }
  return main
    .getByRole('link', options)
    .or(main.getByRole('button', options))
    .or(main.getByRole('tab', options))
    .first()
}

/** A link of the navigation. */
const area = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('navigation').getByRole('link', { name, exact: true }).first()

const inDialog = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('dialog').getByRole('button', { name }).last()

const noDialog = (page: Page): Promise<void> =>
  page.getByRole('dialog').waitFor({ state: 'detached' })

/** Goes to a video of the first page of the list. */
async function openVideo({ page, click }: Person, title: string): Promise<void> {
  await click(area(page, 'Videos'))
  await click(control(page, new RegExp(`^${title}`)))
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}

/** Waits until a response that has arrived is shown. */
const shownNext = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 50)))
      }),
  )

const NEW_PASSWORD = 'seven quiet lanterns'
const CAPTIONS = 'WEBVTT\n\n00:00.000 --> 00:02.000\nEin Gähnen.\n'
const MOVED = 20

export const TASKS: readonly Task[] = [
  {
    name: 'sign in the first time',
    async begin({ t, accounts }) {
      const by = { kind: 'member', id: 1, name: OWNER.name } as const
      const invited = {
        accountId: accounts.many,
        role: 'editor',
        email: 'rosa@school.example',
      } as const
      const { token } = await createInvitation(t.em(), { ...invited, by })
      return `${t.dashboardBase}/welcome#${token}`
    },
    async do({ page, type, click, see }) {
      await page.waitForFunction(
        () => document.querySelector<HTMLInputElement>('[name=email]')?.value !== '',
      )
      await type(page.getByLabel(/your name|^name/i), 'Rosa')
      await type(page.getByRole('textbox', { name: /password/i }), NEW_PASSWORD)
      await click(named(page, 'button', /continue|join|create/i))
      await see(page.getByRole('heading', { level: 1, name: /overview/i }))
    },
  },
  {
    name: 'add a video',
    async do({ page, clickIfThere, click, type, see }, { fileUrl }) {
      const add = control(page, /^(add|new) (a )?video/i)
      if (!(await clickIfThere(add))) {
        await click(area(page, 'Videos'))
        await click(add)
      }
      const dialog = page.getByRole('dialog')
      await type(dialog.getByLabel(/link|address/i).first(), fileUrl)
      await type(dialog.getByLabel(/title/i), 'Open day')
      await click(inDialog(page, /^add/i))
      await see(page.getByRole('main').getByText('Open day').first())
    },
  },
  {
    name: 'copy the embed code',
    async do(person) {
      const { page, click, clickIfThere } = person
      await openVideo(person, 'Big Buck Bunny')
      const copy = control(page, /copy.*(embed|iframe)/i)
      if (!(await clickIfThere(copy))) {
        await click(control(page, /embed|share/i))
        await page.getByText('<iframe').first().waitFor()
        await click(control(page, /copy/i))
      }
      const copied = await page.evaluate(() => navigator.clipboard.readText())
      if (!copied.includes('<iframe')) throw new Error(`the clipboard has ${copied}`)
    },
  },
  {
    name: 'find the failing endpoint',
    async do({ page, clickIfThere, click, see }) {
      const { host } = new URL(FAILING_URL)
      const endpoint = control(page, new RegExp(host.replaceAll('.', '\\.')))
      if (!(await clickIfThere(endpoint))) {
        await click(control(page, /endpoint/i))
        await click(endpoint)
      }
      await see(page.getByRole('heading', { level: 1 }).filter({ hasText: host }))
    },
  },
  {
    name: 'see why a video failed',
    async do(person) {
      const { page, clickIfThere, click, see } = person
      const title = 'Press conference, 12 October'
      if (!(await clickIfThere(control(page, new RegExp(title))))) {
        await click(control(page, /failed/i))
        await click(control(page, new RegExp(title)))
      }
      await see(
        page
          .getByRole('main')
          .getByText(/status 403/)
          .first(),
      )
    },
  },
  {
    name: 'make captions',
    async do(person) {
      const { page, click, clickIfThere, chooseFile, see } = person
      await openVideo(person, 'The yawn')
      const choose = control(page, /choose a file|upload.*captions/i)
      if (!(await choose.isVisible())) await click(control(page, /captions/i))
      await chooseFile(choose, { name: 'yawn.de.vtt', text: CAPTIONS })
      const made = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Deutsch' })
      const add = control(page, /^add captions/i)
      await add.or(made).first().waitFor()
      await clickIfThere(add)
      await see(made)
    },
  },
  {
    name: 'move twenty videos into a folder',
    async do({ page, click, see }) {
      await click(area(page, 'Videos'))
      await page.getByText('Seminar 60').first().waitFor()
      const boxes = page.getByRole('main').getByRole('checkbox', { name: /^Select (?!all)/ })
      await click(boxes.first())
      // A list that selects a range by Shift needs two clicks.
      await boxes.nth(MOVED - 1).click({ modifiers: ['Shift'] })
      const isRange = await boxes.nth(1).isChecked()
      await boxes.nth(MOVED - 1).uncheck()
      if (isRange) {
        await boxes.first().uncheck()
        await click(boxes.first())
        await page.keyboard.down('Shift')
        await click(boxes.nth(MOVED - 1))
        await page.keyboard.up('Shift')
      } else for (let index = 1; index < MOVED; index += 1) await click(boxes.nth(index))
      await click(named(page, 'button', /^move/i))
      await click(page.getByRole('dialog').getByRole('option', { name: FOLDERS[3] }))
      await noDialog(page)
      await see(page.getByRole('main'))
    },
  },
  {
    name: 'invite a member',
    async do({ page, click, type, see }) {
      await click(area(page, 'Team'))
      await click(control(page, /^invite/i))
      await type(page.getByRole('dialog').getByLabel(/e-mail/i), 'sven@school.example')
      await click(inDialog(page, /create link|invite|send/i))
      await click(page.getByRole('dialog').getByRole('button', { name: /copy/i }).first())
      await click(inDialog(page, /saved|done|close/i))
      await see(page.getByRole('main').getByText('sven@school.example'))
    },
  },
  {
    name: 'find a video of last month',
    async do({ page, click, clickIfThere, see }) {
      await click(area(page, 'Videos'))
      const found = control(page, /^Lesson 1: What we will learn/)
      await page.getByText('IMG_2041').first().waitFor()
      // A filter by date, if the list has one.
      if (await clickIfThere(control(page, /last month|september/i))) await found.waitFor()
      while (!(await found.isVisible())) {
        const loaded = page.waitForResponse(/\/videos\?/)
        await click(control(page, /next page/i))
        await loaded
        await shownNext(page)
      }
      await click(found)
      await see(page.getByRole('heading', { level: 1, name: 'Lesson 1: What we will learn' }))
    },
  },
  {
    name: 'rotate a key',
    async do({ page, click, clickIfThere, type, see }) {
      await click(area(page, /^(developers|api)/i))
      await click(area(page, /keys/i))
      const saved = inDialog(page, /saved|done/i)
      const rotate = page
        .getByRole('row', { name: KEY_NAME })
        .getByRole('button', { name: /rotate/i })
      if (!(await clickIfThere(rotate))) {
        await click(control(page, /^(create|new) (api )?key/i))
        await type(page.getByRole('dialog').getByRole('textbox', { name: 'Name' }), 'Website 2')
        await click(inDialog(page, /^create key/i))
        await click(page.getByRole('dialog').getByRole('button', { name: /copy/i }).first())
        await click(saved)
        await noDialog(page)
        const row = page.getByRole('row').filter({ hasText: /Website(?! 2)/ })
        await click(row.getByRole('button', { name: /revoke/i }))
        await type(page.getByRole('dialog').getByRole('textbox'), KEY_NAME)
        await click(inDialog(page, /revoke/i))
        await noDialog(page)
      } else await click(saved)
      await see(page.getByText(/revoked/i).first())
    },
  },
]
