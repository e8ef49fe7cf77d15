import type { PageTexts } from './page-texts.ts'

export const de: PageTexts = {
  request: 'Anfrage',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  name: 'Ihr Name',
  passwordRule:
    'Mindestens 12 Zeichen. Kein verbreitetes Passwort, und weder Ihre Adresse noch „Reelgate“.',
  strength: { short: 'Zu kurz', easy: 'Leicht zu erraten', fair: 'Mittel', strong: 'Stark' },
  linkCode: 'Code des Links',
  linkCodeHint: 'Der Teil des Links nach dem Zeichen #.',
  signOut: 'Abmelden',
  home: 'Zum Dashboard',
  signIn: {
    title: 'Anmelden',
    submit: 'Anmelden',
    forgot:
      'Passwort vergessen? Bitten Sie den Betreiber dieser Installation um einen Link für ein neues (`reelgate members invite`).',
    or: 'oder mit Ihrem Passwort',
    signedOut: 'Sie sind abgemeldet.',
    toJoin:
      'Für diese Adresse gibt es schon eine Anmeldung. Melden Sie sich damit an, um dem Konto beizutreten. Ihr Name bleibt, wie er ist.',
    passkey: 'Mit einem Passkey anmelden',
    passkeyFailed:
      'Der Passkey konnte nicht verwendet werden. Bitte versuchen Sie es noch einmal oder verwenden Sie Ihr Passwort.',
  },
  welcome: {
    title: 'Willkommen',
    text: 'Dieser Link gibt Ihnen Zugang zu einem Konto. Legen Sie fest, wie Sie sich anmelden.',
    submit: 'Weiter',
  },
  invitation: {
    roles: { owner: 'Inhaber', editor: 'Bearbeiter', reader: 'Leser' },
    can: {
      owner: 'Alles, auch Schlüssel, Geheimnisse, das Team und das Protokoll',
      editor:
        'Ändert Videos, Einstellungen, Webhooks und Zuschauer. Sieht weder Schlüssel noch Geheimnisse noch das Protokoll.',
      reader: 'Sieht, was Bearbeiter sehen, und ändert nichts',
    },
    account: 'Konto',
    role: 'Ihre Rolle',
    by: 'Eingeladen von',
    operator: 'Der Betreiber dieser Installation',
    choose: 'Legen Sie fest, wie Sie sich anmelden.',
    firstOwner:
      'Sie sind der erste Inhaber dieses Kontos: Der Link wurde auf der Kommandozeile erstellt. Legen Sie fest, wie Sie sich anmelden.',
    newPassword: (email) => `Dieser Link legt ein neues Passwort für ${email} fest.`,
    grantsOperator: 'Sie werden außerdem Betreiber der Installation.',
  },
  replaced: {
    text: (email) =>
      `Für ${email} gibt es schon eine Anmeldung, vielleicht von einer anderen Person. Wenn Sie fortfahren, ersetzt Ihr neues Passwort sie:`,
    passkeys: (count) => `Passkeys, die entfernt werden: ${count}`,
    sessions: (count) => `Sitzungen, die enden: ${count}`,
    accounts: (names) => `Konten, die Sie damit erhalten: ${names}`,
    submit: 'Anmeldung ersetzen',
  },
  join: {
    title: 'Dem Konto beitreten',
    text: (email) =>
      `Dieser Link gibt Ihnen Zugang zu einem weiteren Konto. Sie sind angemeldet als ${email}.`,
    submit: 'Beitreten',
    otherwise:
      'Um mit einer anderen Adresse beizutreten, melden Sie sich ab und öffnen Sie den Link noch einmal.',
  },
  problems: {
    wrongCredentials: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    tooManyGuesses: (wait) => `Es gab zu viele Fehlversuche. Bitte warten Sie: ${wait}.`,
    email: 'Geben Sie eine vollständige E-Mail-Adresse ein.',
    emailOfLink: 'Dieser Link gilt für eine andere E-Mail-Adresse.',
    name: 'Geben Sie Ihren Namen ein, höchstens 100 Zeichen.',
    passwordLength: 'Ein Passwort hat 12 bis 256 Zeichen.',
    passwordGuessable:
      'Dieses Passwort ist zu leicht zu erraten. Wählen Sie eines, das nicht verbreitet ist, keinem Muster folgt und weder Ihre Adresse noch „Reelgate“ enthält.',
  },
  noAccount: {
    title: 'Sie haben kein Konto',
    text: (email) =>
      `Sie sind angemeldet als ${email}, gehören aber zu keinem Konto. Bitten Sie einen Inhaber um eine Einladung.`,
  },
  linkInvalid: {
    title: 'Dieser Link kann nicht verwendet werden',
    text: 'Er wurde schon verwendet, ist abgelaufen oder unvollständig. Bitten Sie die Person, die ihn geschickt hat, um einen neuen.',
  },
  tooManyRequests: {
    title: 'Zu viele Anfragen',
    text: 'Von diesem Browser oder Netz kamen viele Anfragen. Bitte warten Sie einen Moment und versuchen Sie es noch einmal.',
  },
  notFound: { title: 'Seite nicht gefunden', text: 'Unter dieser Adresse gibt es nichts.' },
  crossSite: {
    title: 'Bitte verwenden Sie die Adresse des Dashboards',
    text: (base) =>
      `Die Anfrage kam nicht von \`${base}\`. Öffnen Sie das Dashboard dort. Hat es eine andere Adresse, setzt der Betreiber \`DASHBOARD_BASE_URL\`.`,
  },
  unavailable: {
    title: 'Bitte versuchen Sie es gleich noch einmal',
    text: 'Die Datenbank antwortet gerade nicht. Es wurde nichts geändert.',
  },
  busy: 'Im Moment melden sich zu viele Personen an. Es wurde nichts geändert.',
  broken: {
    title: 'Im Dienst ist ein Fehler aufgetreten',
    text: 'Bitte versuchen Sie es noch einmal. Geschieht es wieder, nennen Sie dem Betreiber die Nummer der Anfrage.',
  },
  malformed: {
    title: 'Die Anfrage ist nicht lesbar',
    text: 'Bitte gehen Sie zurück und versuchen Sie es noch einmal.',
  },
}
