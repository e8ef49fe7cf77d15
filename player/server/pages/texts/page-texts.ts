/** A message for the viewer. */
interface ViewerMessage {
  title: string
  text: string
}

/** A message with advice for the owner of the site. May contain `code` in backticks. */
export interface MessageWithAdvice extends ViewerMessage {
  owner: string
}

/** A message with advice that names the refused host. */
interface HostMessage {
  title: string
  text: (host: string) => string
  owner: (host: string) => string
}

/** All texts of the server's pages. A language that lacks one does not compile. */
export interface PageTexts {
  /** Heading of the advice for the owner of the site. */
  forOwner: string
  /** Label of the code that says why the video does not play. */
  reportCode: string
  /** Label of the request id. */
  request: string
  /** Label of the button that copies what the owner of the site needs, before and after. */
  copyDetails: string
  copied: string
  malformed: MessageWithAdvice
  notFound: MessageWithAdvice
  broken: ViewerMessage
  failed: MessageWithAdvice
  /** The settings of the video have changed since the page of the site was loaded. */
  outdated: ViewerMessage
  noReferrer: MessageWithAdvice
  domainBlocked: HostMessage
  domainNotAllowed: HostMessage
  tokenMissing: MessageWithAdvice
  tokenExpired: MessageWithAdvice
  tokenForged: MessageWithAdvice
  /** Replaces the advice of `tokenForged` if the token is genuine but expires in milliseconds. */
  expInMilliseconds: string
  tokenRevoked: MessageWithAdvice
  tooMany: MessageWithAdvice
  openApp: ViewerMessage
  openEdge: ViewerMessage
  openSafari: ViewerMessage
  guidance: ViewerMessage
  /** Edge or Safari, whose device lacks the protection that others of the kind have. */
  noHardware: ViewerMessage
  /** Labels of buttons. */
  openInApp: string
  getApp: string
  /** Shown if the operator has configured no store page. */
  askForApp: string
  /** Caption of the QR code of the store page. */
  scanForApp: string
  /** A Direct Play page without a video. */
  directPlayNotFound: MessageWithAdvice
  /** Label of the player page's first button. */
  play: string
  /** Marks a preview of unsaved settings. */
  preview: string
  /** Shown without JavaScript. */
  needsScript: string
  /** Title of a Direct Play page that may not show the video's. */
  untitledVideo: string
}
