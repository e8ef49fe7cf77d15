/** Keys of what a person chose in this browser. */
export const PREFERENCES = {
  colorScheme: 'reelgate-color-scheme',
  language: 'reelgate-language',
  timeZone: 'reelgate-time-zone',
  /** `off` for no one-letter shortcuts. */
  shortcuts: 'reelgate-shortcuts',
} as const

type Preference = keyof typeof PREFERENCES

/** Returns null if nothing was chosen, or if the browser keeps nothing: then `localStorage` throws. */
export function readPreference(name: Preference): string | null {
  try {
    return localStorage.getItem(PREFERENCES[name])
  } catch {
    return null
  }
}

/** Keeps a choice for the next visit, if the browser can; null forgets it. */
export function writePreference(name: Preference, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(PREFERENCES[name])
    else localStorage.setItem(PREFERENCES[name], value)
  } catch {
    // The choice holds until the page is left.
  }
}

/** Keys of what was hidden for an account in this browser. */
const HIDDEN = { firstSteps: 'reelgate-first-steps-hidden' } as const

type Hideable = keyof typeof HIDDEN

/** True if it was hidden for the account. */
export function readHidden(name: Hideable, account: string): boolean {
  try {
    return localStorage.getItem(`${HIDDEN[name]}-${account}`) !== null
  } catch {
    return false
  }
}

/** Hides it for the account, from now until the data of the browser is cleared. */
export function writeHidden(name: Hideable, account: string): void {
  try {
    localStorage.setItem(`${HIDDEN[name]}-${account}`, 'hidden')
  } catch {
    // It is hidden until the page is left.
  }
}
