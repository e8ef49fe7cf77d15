import type { Role } from '../../../../domain/accounts/roles.ts'

/** A page that says what happened and what to do. May contain `code` in backticks. */
export interface MessageText {
  title: string
  text: string
}

/** All texts of the pages. A language that lacks one does not compile. */
export interface PageTexts {
  /** Label of the request id. */
  request: string
  email: string
  password: string
  /** Label of the field for a person's name. */
  name: string
  passwordRule: string
  /** What the page says about a password while it is typed. */
  strength: Record<'short' | 'easy' | 'fair' | 'strong', string>
  /** Label of the field for the token of a link, which is shown only without JavaScript. */
  linkCode: string
  linkCodeHint: string
  signOut: string
  /** Label of the button of an error page that leads to /. */
  home: string
  signIn: {
    title: string
    submit: string
    /** What to do without a password. May contain `code` in backticks. */
    forgot: string
    /** Between the passkey and the form for the password. */
    or: string
    signedOut: string
    /** For an invitation to an address that has a sign-in already. */
    toJoin: string
    /** Label of the button. */
    passkey: string
    passkeyFailed: string
  }
  welcome: {
    title: string
    text: string
    submit: string
  }
  /** What a link is for. */
  invitation: {
    roles: Record<Role, string>
    /** What a role may do. */
    can: Record<Role, string>
    /** Labels of what a link names. */
    account: string
    role: string
    by: string
    /** Who invites with a link of the command line. */
    operator: string
    choose: string
    /** For the first owner of an account. */
    firstOwner: string
    /** For a link of the operator to an address that has a sign-in. */
    newPassword: (email: string) => string
    grantsOperator: string
  }
  /** For an address that has a member already, whose sign-in a link of the operator replaces. */
  replaced: {
    text: (email: string) => string
    /** `count` passkeys are removed. */
    passkeys: (count: number) => string
    /** `count` sessions end. */
    sessions: (count: number) => string
    /** `names` are the accounts of the member. */
    accounts: (names: string) => string
    submit: string
  }
  join: {
    title: string
    text: (email: string) => string
    submit: string
    /** For a person who wants to join under another address. */
    otherwise: string
  }
  problems: {
    wrongCredentials: string
    /** `wait` is a duration in words, such as "5 minutes". */
    tooManyGuesses: (wait: string) => string
    email: string
    emailOfLink: string
    name: string
    passwordLength: string
    passwordGuessable: string
  }
  noAccount: { title: string; text: (email: string) => string }
  linkInvalid: MessageText
  tooManyRequests: MessageText
  notFound: MessageText
  crossSite: { title: string; text: (base: string) => string }
  unavailable: MessageText
  /** Too many passwords are being checked. */
  busy: string
  broken: MessageText
  malformed: MessageText
}
