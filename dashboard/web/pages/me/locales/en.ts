/** The words of the page about the member. */
export const en = {
  save: 'Save',
  saved: 'Saved',
  profile: {
    title: 'Profile',
    text: 'Your name, as your team sees it.',
    name: 'Name',
    email: 'E-mail address',
    emailHint: 'You use it to sign in.',
  },
  password: {
    title: 'Password',
    text: 'A new password signs you out everywhere else and withdraws the open invitations that you made.',
    label: 'New password',
    hint: 'At least {number} characters. Avoid common passwords, your address and “Reelgate”.',
    refused:
      'This password is too easy to guess. Choose one that is not common, follows no pattern, and contains neither your address nor “Reelgate”.',
    removePasskeys: 'Remove my passkeys',
    removePasskeysHint:
      'Except the one you have just used to confirm. Keep them only if they are all yours.',
    submit: 'Change password',
    done: 'The password was changed',
    failures: 'Wrong passwords for your address: {number} since {day}',
    failuresHint:
      'If this was not you, someone is guessing your password. After five wrong passwords, a network has to wait longer each time. Choose a long password that you use nowhere else, or sign in with a passkey.',
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
    nameHint: 'Helps you recognise it, such as the name of the device.',
    notMade: 'No passkey was created. You may have cancelled, or this device has one already.',
    unreadable:
      'The browser did not return a passkey. A password manager extension may interfere: switch it off for this page, then try again.',
    elsewhere:
      'Passkeys work at {own}, but this page is at {here}. Open the dashboard there, or ask the operator to set DASHBOARD_BASE_URL to {here}.',
    impossible: 'Passkeys need https with a host name, or localhost. This address is neither.',
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
    noneFound: 'No session matches.',
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
    text: 'They apply to this browser.',
    shortcuts: 'One-letter shortcuts',
    shortcutsHint: 'Press ? to see them. They are ignored while you type.',
  },
}

export type MeWords = typeof en
