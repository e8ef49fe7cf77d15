import type { Response } from 'express'
import { escapeHtml } from '../../../domain/html.ts'
import type { Language } from '../../../domain/language.ts'
import {
  EMAIL_MAX_LENGTH,
  MEMBER_NAME_MAX_LENGTH,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
} from '../../../domain/limits.ts'
import { looksLikeSecretToken } from '../../../security/tokens/secret-token.ts'
import { alertHtml, buttonForm, fieldHtml, hiddenHtml } from './form.ts'
import { isolated, sendPage, type PageContext } from './html-page.ts'
import { describeReplaced, type ReplacedSignIn } from './replaced-sign-in.ts'
import type { PageTexts } from './texts/page-texts.ts'

/** The field of the form that a problem belongs to. */
export type WelcomeProblem =
  'email' | 'emailOfLink' | 'name' | 'passwordLength' | 'passwordGuessable'

interface WelcomePage {
  link?: string
  email?: string
  name?: string
  problems?: readonly WelcomeProblem[]
  /** What ends if the person continues. */
  replaced?: ReplacedSignIn
  alertIn?: (texts: PageTexts, language: Language) => string
}

/** Where the script writes which account, role and inviter the link is for. */
const INVITATION_HTML = '<div class="invitation" role="status"></div>\n'

/** Sends the page on which the reader of an invitation chooses how to sign in. */
export function sendWelcomePage(
  response: Response,
  { files }: PageContext,
  { link = '', email = '', name = '', problems = [], replaced, alertIn }: WelcomePage,
): void {
  sendPage(response, files, (texts, language) => {
    const [first] = problems
    const problemOf = (...kinds: WelcomeProblem[]) => {
      const kind = kinds.find((one) => problems.includes(one))
      return kind && texts.problems[kind]
    }
    return {
      title: texts.welcome.title,
      scriptUrl: files.welcomeScriptUrl,
      body: `${INVITATION_HTML}<p class="general">${escapeHtml(texts.welcome.text)}</p>
${alertHtml(alertIn?.(texts, language))}${replaced ? replacedHtml(texts, replaced) : ''}<form method="post" action="/welcome">
${replaced ? hiddenHtml('replaces', replaced.email) : ''}${linkHtml(texts, link)}${fieldHtml({
        name: 'email',
        label: texts.email,
        type: 'email',
        autocomplete: 'username',
        value: email,
        maxLength: EMAIL_MAX_LENGTH,
        problem: problemOf('email', 'emailOfLink'),
        isFocused: first === undefined || first.startsWith('email'),
      })}${fieldHtml({
        name: 'name',
        label: texts.name,
        type: 'text',
        autocomplete: 'name',
        value: name,
        maxLength: MEMBER_NAME_MAX_LENGTH,
        problem: problemOf('name'),
        isFocused: first === 'name',
      })}${fieldHtml({
        name: 'password',
        label: texts.password,
        type: 'password',
        autocomplete: 'new-password',
        hint: texts.passwordRule,
        minLength: PASSWORD_MIN_LENGTH,
        maxLength: PASSWORD_MAX_LENGTH,
        problem: problemOf('passwordLength', 'passwordGuessable'),
        isFocused: first?.startsWith('password') ?? false,
      })}${strengthHtml(texts)}<button>${escapeHtml(replaced ? texts.replaced.submit : texts.welcome.submit)}</button>
</form>
`,
    }
  })
}

/** Where the script says how strong the password is. */
const strengthHtml = ({ strength }: PageTexts): string =>
  `<p class="strength" role="status" data-words="${escapeHtml(JSON.stringify(strength))}"></p>\n`

/** Says that the address has a member already, and what the new password ends. */
function replacedHtml(texts: PageTexts, replaced: ReplacedSignIn): string {
  const { text, lines } = describeReplaced(texts, replaced)
  return `<div class="alert" role="alert">
<p>${escapeHtml(text)}</p>
<ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>
</div>
`
}

interface JoinPage {
  /** Who is signed in, and would join. */
  member: { memberId: number; email: string }
  link?: string
}

/** Sends the page on which a signed-in member accepts an invitation. */
export function sendJoinPage(
  response: Response,
  { files }: PageContext,
  { member: { memberId, email }, link = '' }: JoinPage,
): void {
  sendPage(response, files, (texts) => ({
    title: texts.join.title,
    scriptUrl: files.welcomeScriptUrl,
    body: `${INVITATION_HTML}<p>${escapeHtml(texts.join.text(isolated(email)))}</p>
<form method="post" action="/welcome/join">
${hiddenHtml('member', String(memberId))}${linkHtml(texts, link)}<button>${escapeHtml(texts.join.submit)}</button>
</form>
<p class="after">${escapeHtml(texts.join.otherwise)}</p>
${buttonForm('/sign-out', texts.signOut)}`,
  }))
}

const TOKEN_LENGTH = 43

/** The field for the token; without JavaScript, people copy it from the link. */
function linkHtml({ linkCode, linkCodeHint }: PageTexts, link: string): string {
  const html = fieldHtml({
    name: 'link',
    label: linkCode,
    type: 'text',
    autocomplete: 'off',
    value: link,
    hint: linkCodeHint,
    maxLength: TOKEN_LENGTH,
  })
  const hidden = looksLikeSecretToken(link) ? ' hidden' : ''
  return html.replace('<div class="field">', `<div class="field" data-link-code${hidden}>`)
}
