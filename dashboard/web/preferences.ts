/** Keys of what a person chose in this browser. */
export const PREFERENCES = {
  colorScheme: 'reelgate-color-scheme',
  language: 'reelgate-language',
  timeZone: 'reelgate-time-zone',
  /** `off` for no one-letter shortcuts. */
  shortcuts: 'reelgate-shortcuts',
  /** `compact` for tables with low rows. */
  density: 'reelgate-density',
  /** The ids of the actions that were run last, by spaces. */
  recentActions: 'reelgate-recent-actions',
  /** `list` for a table of videos in place of the grid. */
  videosView: 'reelgate-videos-view',
} as const

type Preference = keyof typeof PREFERENCES

/** Returns null if nothing was chosen, or if the browser keeps nothing: then `localStorage` throws. */
export const readPreference = (name: Preference): string | null => read(PREFERENCES[name])

/** Keeps a choice for the next visit, if the browser can; null forgets it. */
export const writePreference = (name: Preference, value: string | null): void =>
  write(PREFERENCES[name], value)

/** Returns the hidden columns of a table, by spaces, as `writeHiddenColumns` got them. */
export const readHiddenColumns = (table: string): string | null => read(keyOfColumns(table))

/** Keeps which columns of a table are hidden; null forgets it. */
export const writeHiddenColumns = (table: string, columns: string | null): void =>
  write(keyOfColumns(table), columns)

const keyOfColumns = (table: string): string => `reelgate-hidden-columns-${table}`

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function write(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
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
