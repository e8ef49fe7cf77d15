/** What a page says to the person in front of it. */
interface Told {
  title: string
  text: string
}

/** And to whoever put the iframe there; `code` in backticks. A snippet to copy may follow it. */
export interface ToldWithAdvice extends Told {
  owner: string
}

/** The same, where the page names the host that was refused. */
interface ToldOfHost {
  title: string
  text: (host: string) => string
  owner: (host: string) => string
}

/** Every text of the pages that are not the player; a language that lacks one does not compile. */
export interface PageTexts {
  /** Opens the advice for the owner of the site. */
  forOwner: string
  /** Stands before a request's id. */
  request: string
  malformed: ToldWithAdvice
  notFound: ToldWithAdvice
  broken: Told
  failed: ToldWithAdvice
  waiting: Told
  noReferrer: ToldWithAdvice
  domainBlocked: ToldOfHost
  domainNotAllowed: ToldOfHost
  tokenMissing: ToldWithAdvice
  tokenExpired: ToldWithAdvice
  tokenForged: ToldWithAdvice
  /** The advice of `tokenForged` where the token is genuine and its expiry cannot be meant. */
  expInMilliseconds: string
  tokenRevoked: ToldWithAdvice
  openApp: Told
  openEdge: Told
  openSafari: Told
  guidance: Told
  /** Labels of buttons. */
  openInApp: string
  getApp: string
  /** Where the operator has not said where the app is to be had. */
  askForApp: string
  /** Below a QR code that leads to the app. */
  scanForApp: string
  /** A Direct Play page that may not show its video, or not its title. */
  directPlayNotFound: ToldWithAdvice
  /** Of the player page, before and without its scripts. */
  play: string
  needsScript: string
  untitledVideo: string
}
