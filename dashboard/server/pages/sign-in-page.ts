import type { Response } from 'express'
import { escapeHtml, withCode } from '../../../domain/html.ts'
import type { Language } from '../../../domain/language.ts'
import { EMAIL_MAX_LENGTH, PASSWORD_MAX_LENGTH } from '../../../domain/limits.ts'
import { sign } from '../../../http/pages/signs.ts'
import { alertHtml, fieldHtml, hiddenHtml } from './form.ts'
import { sendPage, type PageContext } from './html-page.ts'
import type { PageTexts } from './texts/page-texts.ts'

interface SignInPage {
  /** Where the sign-in leads, a local path. */
  next?: string
  /** The token of an invitation that the sign-in accepts. */
  invitation?: string
  email?: string
  /** True after the member has signed out. */
  isSignedOut?: boolean
  /** True if the address or the password was wrong. */
  isWrong?: boolean
  alertIn?: (texts: PageTexts, language: Language) => string
}

/** Sends the page with the form for e-mail address and password. */
export function sendSignInPage(
  response: Response,
  { files, passkeys, dashboardBase }: PageContext,
  { next = '/', invitation = '', email = '', isSignedOut, isWrong, alertIn }: SignInPage,
): void {
  sendPage(response, files, (texts, language) => ({
    title: texts.signIn.title,
    scriptUrl: files.signInScriptUrl,
    body: `<p class="host"><bdi>${escapeHtml(new URL(dashboardBase).host)}</bdi></p>
${isSignedOut === true ? `<p class="done" role="status">${escapeHtml(texts.signIn.signedOut)}</p>\n` : ''}${invitation === '' ? '' : `<p>${escapeHtml(texts.signIn.toJoin)}</p>\n`}${alertHtml(alertIn?.(texts, language))}${passkeys.isAvailable && invitation === '' ? passkeyHtml(texts, passkeys.origin) : ''}<form method="post" action="/sign-in">
${next === '/' ? '' : hiddenHtml('next', next)}${invitation === '' ? '' : hiddenHtml('invitation', invitation)}${fieldHtml(
      {
        name: 'email',
        label: texts.email,
        type: 'email',
        autocomplete: 'username',
        value: email,
        maxLength: EMAIL_MAX_LENGTH,
        isFocused: email === '',
      },
    )}${fieldHtml({
      name: 'password',
      label: texts.password,
      type: 'password',
      autocomplete: 'current-password',
      maxLength: PASSWORD_MAX_LENGTH,
      problem: isWrong === true ? texts.problems.wrongCredentials : undefined,
      isFocused: email !== '',
    })}<button>${escapeHtml(texts.signIn.submit)}</button>
</form>
<p class="after">${withCode(texts.signIn.forgot)}</p>
`,
  }))
}

/** The script shows the button in browsers that have passkeys, at the address that they belong to. */
const passkeyHtml = ({ signIn }: PageTexts, origin: string): string =>
  `<form class="passkey" data-passkey="${escapeHtml(origin)}" hidden>
<button class="second">${sign('passkey', 'icon')}${escapeHtml(signIn.passkey)}</button>
<p class="problem" role="alert" hidden>${escapeHtml(signIn.passkeyFailed)}</p>
<p class="or">${escapeHtml(signIn.or)}</p>
</form>
`

/** A wait in words: `45 seconds`, `5 minutes`, `3 hours`. */
export function waitIn(language: Language, seconds: number): string {
  const [value, unit] =
    seconds < 60
      ? [seconds, 'second']
      : seconds < 5_400
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 3_600), 'hour']
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}
