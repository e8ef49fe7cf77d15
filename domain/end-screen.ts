/** What the player offers at the end of a video. */
export const END_ACTIONS = ['replay', 'link', 'nothing'] as const

export interface EndScreen {
  action: (typeof END_ACTIONS)[number]
  /** Opens in a new tab. Without it, `link` is the same as `replay`. */
  link_url: string | null
  /** Null: the host of `link_url`. */
  link_text: string | null
}

export const END_LINK_URL_MAX = 2_048
export const END_LINK_TEXT_MAX = 60

/** True for an absolute http or https address without credentials. Others, such as `javascript:`, could run code. */
export function isEndLink(text: string): boolean {
  if (text.length > END_LINK_URL_MAX || !URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return ['http:', 'https:'].includes(protocol) && username === '' && password === ''
}

/** True for one line with something to read. */
export const isEndLinkText = (text: string): boolean =>
  text.trim() !== '' && text.length <= END_LINK_TEXT_MAX && !/\p{Cc}/u.test(text)
