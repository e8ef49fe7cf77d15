import { Router } from 'express'
import { listAccountsOf } from '../../../db/members/members.ts'
import { escapeHtml } from '../../../domain/html.ts'
import { readSession } from '../auth/authentication.ts'
import { buttonForm } from './form.ts'
import { isolated, sendPage, type PageContext } from './html-page.ts'

/** / leads to the overview of the member's first account. */
export function homeRouter(context: PageContext): Router {
  return Router().get('/', async (request, response) => {
    const session = await readSession(context, request)
    if (!session) return response.redirect(303, '/sign-in')
    const [first] = await listAccountsOf(context.db.em.fork(), session.memberId)
    if (first) return response.redirect(303, `/accounts/${first.accountId}`)
    sendPage(response, context.files, (texts) => ({
      title: texts.noAccount.title,
      sign: 'lock',
      body: `<p>${escapeHtml(texts.noAccount.text(isolated(session.email)))}</p>
${buttonForm('/sign-out', texts.signOut)}`,
    }))
  })
}
