import type { ShellWords } from './en.ts'

export const de: ShellWords = {
  confirm: {
    title: 'Bestätigen Sie, dass Sie es sind',
    text: 'Dafür ist eine neue Bestätigung nötig. Sie gilt zehn Minuten.',
    password: 'Passwort',
    submit: 'Bestätigen',
    passkey: 'Passkey verwenden',
    or: 'oder',
    wrong: 'Das Passwort ist falsch.',
    tooMany: 'Zu viele Versuche. Warten Sie einige Minuten.',
    noPasskey: 'Es wurde kein Passkey verwendet.',
  },
  leave: {
    title: 'Ohne Speichern verlassen?',
    text: 'Ihre Eingaben auf dieser Seite sind nicht gespeichert.',
    stay: 'Hier bleiben',
    leave: 'Verlassen',
  },
}
