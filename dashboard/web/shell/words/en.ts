/** The words of the dialogs that every page can open. */
export const en = {
  confirm: {
    title: 'Confirm that it is you',
    text: 'This needs a fresh confirmation. It is good for ten minutes.',
    password: 'Password',
    submit: 'Confirm',
    passkey: 'Use a passkey',
    or: 'or',
    wrong: 'The password is wrong.',
    tooMany: 'Too many attempts. Wait a few minutes.',
    noPasskey: 'No passkey was used.',
  },
  leave: {
    title: 'Leave without saving?',
    text: 'What you entered here has not been saved.',
    stay: 'Stay here',
    leave: 'Leave',
  },
}

export type ShellWords = typeof en
