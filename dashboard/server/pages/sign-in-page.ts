import type { Response } from 'express'
import { escapeHtml, withCode } from '../../../domain/html.ts'
import type { Language } from '../../../domain/language.ts'
import { EMAIL_MAX_LENGTH, PASSWORD_MAX_LENGTH } from '../../../domain/limits.ts'
import { alertHtml, fieldHtml, hiddenHtml } from './form.ts'
import { sendPage, type PageContext } from './html-page.ts'
import type { PageTexts } from './texts/page-texts.ts'

interface SignInPage {
  /** Where the sign-in leads, a local path. */
  next?: string
  /** The token of an invitation that the sign-in accepts. */
  invitation?: string
  email?: string
  problemIn?: (texts: PageTexts, language: Language) => string
}

/** Sends the page with the form for e-mail address and password. */
export function sendSignInPage(
  response: Response,
  { files, passkeys }: PageContext,
  { next = '/', invitation = '', email = '', problemIn }: SignInPage,
): void {
  sendPage(response, files, (texts, language) => ({
    title: texts.signIn.title,
    scriptUrl: files.signInScriptUrl,
    body: `${invitation === '' ? '' : `<p>${escapeHtml(texts.signIn.toJoin)}</p>\n`}${alertHtml(problemIn?.(texts, language))}<form method="post" action="/sign-in">
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
      isFocused: email !== '',
    })}<button>${escapeHtml(texts.signIn.submit)}</button>
</form>
${passkeys.isAvailable && invitation === '' ? passkeyHtml(texts, passkeys.origin) : ''}<p class="after">${withCode(texts.signIn.forgot)}</p>
`,
  }))
}

/** The script shows the button in browsers that have passkeys, at the address that they belong to. */
const passkeyHtml = ({ signIn }: PageTexts, origin: string): string =>
  `<form class="passkey" data-passkey="${escapeHtml(origin)}" hidden>
<p class="alert" role="alert" hidden>${escapeHtml(signIn.passkeyFailed)}</p>
<button class="second">${escapeHtml(signIn.passkey)}</button>
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
