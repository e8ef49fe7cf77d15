/** The words of the dialogs that every page can open. */
export const en = {
  confirm: {
    title: 'Confirm that it is you',
    text: 'This needs a fresh confirmation, which is valid for ten minutes.',
    password: 'Password',
    submit: 'Confirm',
    passkey: 'Use a passkey',
    or: 'or',
    wrong: 'The password is wrong.',
    tooMany: 'Too many attempts. Wait a few minutes.',
    noPasskey: 'No passkey was used.',
  },
  palette: {
    none: 'No action or video matches.',
    noneHint: 'Type the name of a page or of an action, or a word from the title of a video.',
    recent: 'Recent',
    areas: 'Go to',
    actions: 'Actions',
    videos: 'Videos',
    page: 'On this page',
    hint: 'They are ignored while you type, and can be switched off in your preferences.',
    off: 'They are switched off in your preferences.',
    open: 'Open the search',
  },
  leave: {
    title: 'Leave without saving?',
    text: 'What you entered here has not been saved.',
    secretTitle: 'Leave without saving it?',
    secretText: 'It is shown only once, when it is created.',
    stay: 'Stay here',
    leave: 'Leave',
  },
}

export type ShellWords = typeof en
