import type { TeamWords } from './en.ts'

export const de: TeamWords = {
  title: 'Team',
  invite: 'Einladen',
  you: 'Sie',
  never: 'nie',
  search: 'Name oder Adresse suchen',
  noneFound: 'Kein Mitglied hat diesen Namen oder diese Adresse.',
  columns: {
    member: 'Mitglied',
    role: 'Rolle',
    seen: 'Zuletzt gesehen',
    joined: 'Beigetreten',
  },
  changed: '{name} ist jetzt: {role}',
  roleOf: 'Rolle von {name}',
  change: 'Ändern',
  ownRole: 'Eigene Rolle ändern?',
  ownRoleText:
    'Sie verlieren möglicherweise das Recht, dieses Team zu verwalten. Ein anderer Inhaber kann es Ihnen zurückgeben.',
  remove: '{name} entfernen',
  removeTitle: 'Dieses Mitglied entfernen?',
  removeText:
    'Die nächste Anfrage dieser Person wird abgelehnt. Videos, Schlüssel und Einstellungen bleiben.',
  removeSubmit: 'Entfernen',
  removed: '{name} wurde entfernt',
  leave: 'Konto verlassen',
  leaveTitle: 'Dieses Konto verlassen?',
  leaveText: 'Sie verlieren sofort den Zugang. Ein Inhaber kann Sie wieder einladen.',
  invitations: {
    title: 'Offene Einladungen',
    none: 'Es gibt keine offene Einladung.',
    for: 'Für',
    anyone: 'Alle, die den Link haben',
    role: 'Rolle',
    by: 'Eingeladen von',
    expires: 'Läuft ab',
    withdraw: 'Zurückziehen',
    withdrawn: 'Die Einladung wurde zurückgezogen',
  },
  dialog: {
    title: 'Person einladen',
    role: 'Rolle',
    roles: {
      owner: 'Alles, auch Schlüssel, Geheimnisse, das Team und das Protokoll',
      editor:
        'Ändert Videos, Einstellungen, Webhooks und Zuschauer. Sieht weder Schlüssel noch Geheimnisse noch das Protokoll.',
      reader: 'Sieht, was Bearbeiter sehen, und ändert nichts',
    },
    email: 'E-Mail-Adresse',
    emailHint: 'Nur diese Adresse kann annehmen. Ohne Adresse kann es jeder mit dem Link.',
    submit: 'Link erstellen',
    madeTitle: 'Diesen Link weitergeben',
    made: 'Er funktioniert einmal, bis {time}. Er wird nur jetzt angezeigt.',
  },
}
