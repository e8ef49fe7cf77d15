import type { PageTexts } from './page-texts.ts'

export const en: PageTexts = {
  request: 'Request',
  email: 'E-mail address',
  password: 'Password',
  name: 'Your name',
  passwordRule: 'At least 12 characters. Avoid common passwords, your address and “Reelgate”.',
  strength: { short: 'Too short', easy: 'Easy to guess', fair: 'Fair', strong: 'Strong' },
  linkCode: 'Link code',
  linkCodeHint: 'The part of the link after the # sign.',
  signOut: 'Sign out',
  home: 'Go to the dashboard',
  signIn: {
    title: 'Sign in',
    submit: 'Sign in',
    forgot:
      'Forgot your password? Ask the operator of this installation for a link to a new one (`reelgate members invite`).',
    or: 'or with your password',
    signedOut: 'You are signed out.',
    toJoin:
      'This address already has a sign-in. Sign in with it to join the account. Your name does not change.',
    passkey: 'Sign in with a passkey',
    passkeyFailed: 'The passkey could not be used. Please try again or use your password.',
  },
  welcome: {
    title: 'Welcome',
    text: 'This link gives you access to an account. Choose how you will sign in.',
    submit: 'Continue',
  },
  invitation: {
    roles: { owner: 'Owner', editor: 'Editor', reader: 'Reader' },
    can: {
      owner: 'Everything, including keys, secrets, the team and the audit log',
      editor: 'Changes videos, settings, webhooks and viewers. Sees no keys, secrets or audit log.',
      reader: 'Sees what editors see, but cannot change anything',
    },
    account: 'Account',
    role: 'Your role',
    by: 'Invited by',
    operator: 'The operator of this installation',
    choose: 'Choose how you will sign in.',
    firstOwner:
      'You are the first owner of this account: the link was made on the command line. Choose how you will sign in.',
    newPassword: (email) => `This link sets a new password for ${email}.`,
    grantsOperator: 'You also become an operator of the installation.',
  },
  replaced: {
    text: (email) =>
      `${email} already has a sign-in, which may belong to someone else. If you continue, your new password replaces it:`,
    passkeys: (count) => `Passkeys to be removed: ${count}`,
    sessions: (count) => `Sessions to be ended: ${count}`,
    accounts: (names) => `Accounts that come with it: ${names}`,
    submit: 'Replace the sign-in',
  },
  join: {
    title: 'Join the account',
    text: (email) =>
      `This link gives you access to another account. You are signed in as ${email}.`,
    submit: 'Join',
    otherwise: 'To join with another address, sign out and open the link again.',
  },
  problems: {
    wrongCredentials: 'The e-mail address or the password is wrong.',
    tooManyGuesses: (wait) => `Too many failed attempts. Please wait: ${wait}.`,
    email: 'Enter a complete e-mail address.',
    emailOfLink: 'This link is for another e-mail address.',
    name: 'Enter your name, with at most 100 characters.',
    passwordLength: 'A password must have 12 to 256 characters.',
    passwordGuessable:
      'This password is too easy to guess. Choose one that is not common, follows no pattern, and contains neither your address nor “Reelgate”.',
  },
  noAccount: {
    title: 'You have no account',
    text: (email) =>
      `You are signed in as ${email}, but you are not a member of any account. Ask an owner for an invitation.`,
  },
  linkInvalid: {
    title: 'This link cannot be used',
    text: 'It has already been used, has expired or is incomplete. Ask the person who sent it for a new one.',
  },
  tooManyRequests: {
    title: 'Too many requests',
    text: 'Many requests came from this browser or network. Please wait a moment and try again.',
  },
  notFound: { title: 'Page not found', text: 'There is nothing at this address.' },
  crossSite: {
    title: 'Please use the address of the dashboard',
    text: (base) =>
      `The request did not come from \`${base}\`. Open the dashboard there. If it has another address, the operator sets \`DASHBOARD_BASE_URL\`.`,
  },
  unavailable: {
    title: 'Please try again in a moment',
    text: 'The database is not responding. Nothing was changed.',
  },
  busy: 'Too many people are signing in at the moment. Nothing was changed.',
  broken: {
    title: 'The service had an error',
    text: 'Please try again. If it happens again, give the operator the request ID.',
  },
  malformed: {
    title: 'The request could not be read',
    text: 'Please go back and try again.',
  },
}
