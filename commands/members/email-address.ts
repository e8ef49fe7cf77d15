import { domainToUnicode } from 'node:url'
import { normaliseHost } from '../../domain/host-name.ts'
import { EMAIL_MAX_LENGTH } from '../../domain/limits.ts'

/**
 * Returns the form in which an address is stored, compared, counted and shown: in lowercase, with an internationalized host as
 * people write it. Chromium sends the host of an address field in punycode. Texts by which `emailForms` finds one member,
 * such as those with a port or a last dot, have one form.
 */
export function normalEmail(text: string): string {
  const typed = text.trim().normalize().toLowerCase()
  const at = typed.lastIndexOf('@') + 1
  const host = normaliseHost(typed.slice(at))
  return at > 0 && host !== null ? typed.slice(0, at) + domainToUnicode(host) : typed
}

/** True for an address that has one @ with something on both sides; only mail shows whether it exists. */
export const isEmail = (text: string): boolean =>
  text.length <= EMAIL_MAX_LENGTH && /^[^\s@]{1,64}@[^\s@]+$/.test(text)

/** True if both are forms of one address; a stored one may have its host in punycode. */
export const isSameEmail = (one: string, other: string): boolean =>
  normalEmail(one) === normalEmail(other)
