/** The words of the page about the member. */
export const en = {
  save: 'Save',
  saved: 'Saved',
  profile: {
    title: 'Profile',
    text: 'Your name as the team sees it.',
    name: 'Name',
    email: 'E-mail address',
    emailHint: 'You sign in with it.',
  },
  password: {
    title: 'Password',
    text: 'A new password signs you out everywhere else.',
    label: 'New password',
    hint: 'At least {number} characters. No common password, and neither your address nor “Reelgate”.',
    refused:
      'This password is too easy to guess. Choose one that is not common, follows no pattern, and contains neither your address nor “Reelgate”.',
    removePasskeys: 'Remove my passkeys',
    removePasskeysHint:
      'Except the one that you have just confirmed with. Keep them only if all of them are yours.',
    submit: 'Change password',
    done: 'The password was changed',
    failures: 'Wrong passwords for your address: {number} since {day}',
    failuresHint:
      'If it was not you, someone guesses. After five wrong passwords, each network has to wait longer and longer. Choose a long password that you use nowhere else, or sign in with a passkey.',
  },
  passkeys: {
    title: 'Passkeys',
    text: 'Sign in with your fingerprint, face or device, without a password.',
    used: 'Last used:',
    never: 'never',
    add: 'Add a passkey',
    addText: 'Your browser will ask you to confirm.',
    addSubmit: 'Continue',
    added: 'The passkey was added',
    name: 'Name',
    nameHint: 'To recognise it, such as the name of the device.',
    notMade: 'No passkey was made. You may have cancelled, or this device has one already.',
    unreadable:
      'The browser gave nothing that is a passkey. A browser extension that keeps passwords may stand in between: switch it off for this page, then try again.',
    elsewhere:
      'Passkeys work at {own}, and this page is at {here}. Open the dashboard there, or ask the operator to set DASHBOARD_BASE_URL to {here}.',
    impossible: 'Passkeys need a host name on https, or localhost. This address has neither.',
    rename: 'Rename {name}',
    renameTitle: 'Rename the passkey',
    remove: 'Remove {name}',
    removeTitle: 'Remove this passkey?',
    removeText: 'You can no longer sign in with it. Delete it on your device too.',
    removeSubmit: 'Remove',
    removed: 'The passkey was removed',
  },
  sessions: {
    search: 'Search browser or address',
    noneFound: 'No session has this browser or address.',
    title: 'Sessions',
    text: 'Browsers in which you are signed in.',
    here: 'This browser',
    unknown: 'Unknown browser',
    end: 'Sign out',
    endOf: 'Sign out: {name}',
    ended: 'The session has ended',
    endOthers: 'Sign out everywhere else',
    endedOthers: 'All other sessions have ended',
  },
  preferences: {
    title: 'Preferences',
    text: 'They hold in this browser.',
    shortcuts: 'One-letter shortcuts',
    shortcutsHint: 'Press ? to see them. They never act while you type.',
  },
}

export type MeWords = typeof en
