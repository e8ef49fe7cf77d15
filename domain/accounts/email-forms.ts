import { normaliseHost } from '../host-name.ts'

/** Returns an address in the forms in which it may be stored: as given, and with its host in punycode, as before. */
export function emailForms(email: string): string[] {
  const at = email.lastIndexOf('@') + 1
  const host = normaliseHost(email.slice(at))
  return host === null ? [email] : [email, email.slice(0, at) + host]
}
