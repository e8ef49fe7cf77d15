import type { MeWords } from './en.ts'

export const de: MeWords = {
  save: 'Speichern',
  saved: 'Gespeichert',
  profile: {
    title: 'Profil',
    text: 'Ihr Name, wie das Team ihn sieht.',
    name: 'Name',
    email: 'E-Mail-Adresse',
    emailHint: 'Damit melden Sie sich an.',
  },
  password: {
    title: 'Passwort',
    text: 'Ein neues Passwort meldet Sie überall sonst ab und zieht Ihre offenen Einladungen zurück.',
    label: 'Neues Passwort',
    hint: 'Mindestens {number} Zeichen. Kein verbreitetes Passwort, und weder Ihre Adresse noch „Reelgate“.',
    refused:
      'Dieses Passwort ist zu leicht zu erraten. Wählen Sie eines, das nicht verbreitet ist, keinem Muster folgt und weder Ihre Adresse noch „Reelgate“ enthält.',
    removePasskeys: 'Meine Passkeys entfernen',
    removePasskeysHint:
      'Außer dem, mit dem Sie gerade bestätigt haben. Behalten Sie sie nur, wenn alle Ihnen gehören.',
    submit: 'Passwort ändern',
    done: 'Das Passwort wurde geändert',
    failures: 'Falsche Passwörter für Ihre Adresse: {number} seit {day}',
    failuresHint:
      'Wenn Sie es nicht waren, rät jemand. Nach fünf falschen Passwörtern muss jedes Netz immer länger warten. Wählen Sie ein langes Passwort, das Sie sonst nirgends verwenden, oder melden Sie sich mit einem Passkey an.',
  },
  passkeys: {
    title: 'Passkeys',
    text: 'Melden Sie sich mit Fingerabdruck, Gesicht oder Gerät an, ohne Passwort.',
    used: 'Zuletzt verwendet:',
    never: 'nie',
    add: 'Passkey hinzufügen',
    addText: 'Ihr Browser bittet Sie um Bestätigung.',
    addSubmit: 'Weiter',
    added: 'Der Passkey wurde hinzugefügt',
    name: 'Name',
    nameHint: 'Zum Wiedererkennen, etwa der Name des Geräts.',
    notMade:
      'Es wurde kein Passkey erstellt. Vielleicht haben Sie abgebrochen, oder dieses Gerät hat schon einen.',
    unreadable:
      'Der Browser gab nichts, was ein Passkey ist. Vielleicht steht eine Browser-Erweiterung für Passwörter dazwischen: Schalten Sie sie für diese Seite aus und versuchen Sie es noch einmal.',
    elsewhere:
      'Passkeys funktionieren unter {own}, und diese Seite ist unter {here}. Öffnen Sie das Dashboard dort, oder bitten Sie den Betreiber, DASHBOARD_BASE_URL auf {here} zu setzen.',
    impossible:
      'Passkeys brauchen einen Hostnamen mit https oder localhost. Diese Adresse hat beides nicht.',
    rename: '{name} umbenennen',
    renameTitle: 'Passkey umbenennen',
    remove: '{name} entfernen',
    removeTitle: 'Diesen Passkey entfernen?',
    removeText: 'Sie können sich damit nicht mehr anmelden. Löschen Sie ihn auch auf Ihrem Gerät.',
    removeSubmit: 'Entfernen',
    removed: 'Der Passkey wurde entfernt',
  },
  sessions: {
    search: 'Browser oder Adresse suchen',
    noneFound: 'Keine Sitzung hat diesen Browser oder diese Adresse.',
    title: 'Sitzungen',
    text: 'Browser, in denen Sie angemeldet sind.',
    here: 'Dieser Browser',
    unknown: 'Unbekannter Browser',
    end: 'Abmelden',
    endOf: 'Abmelden: {name}',
    ended: 'Die Sitzung wurde beendet',
    endOthers: 'Überall sonst abmelden',
    endedOthers: 'Alle anderen Sitzungen wurden beendet',
  },
  preferences: {
    title: 'Vorlieben',
    text: 'Sie gelten in diesem Browser.',
    shortcuts: 'Kurzbefehle mit einem Buchstaben',
    shortcutsHint: 'Mit ? sehen Sie alle. Beim Tippen wirken sie nie.',
  },
}
