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
  palette: {
    none: 'Keine Aktion und kein Video passt.',
    noneHint:
      'Geben Sie den Namen einer Seite oder Aktion ein, oder ein Wort aus dem Titel eines Videos.',
    recent: 'Zuletzt',
    areas: 'Gehe zu',
    actions: 'Aktionen',
    videos: 'Videos',
    page: 'Auf dieser Seite',
    hint: 'Beim Tippen wirken sie nie. In Ihren Vorlieben lassen sie sich abschalten.',
    off: 'Sie sind in Ihren Vorlieben abgeschaltet.',
    open: 'Suche öffnen',
  },
  leave: {
    title: 'Ohne Speichern verlassen?',
    text: 'Ihre Eingaben auf dieser Seite sind nicht gespeichert.',
    secretTitle: 'Ohne zu speichern verlassen?',
    secretText: 'Es wird nur einmal gezeigt, wenn es erstellt wird.',
    stay: 'Hier bleiben',
    leave: 'Verlassen',
  },
}
