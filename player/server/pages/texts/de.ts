import type { PageTexts } from './page-texts.ts'

export const de: PageTexts = {
  forOwner: 'Für die Betreiber dieser Website',
  reportCode: 'Code',
  request: 'Anfrage',
  copyDetails: 'Angaben kopieren',
  copied: 'Kopiert',
  malformed: {
    title: 'Diese Adresse ist unvollständig',
    text: 'Zu ihr lässt sich kein Video finden. Bitte gehen Sie zurück auf die Seite, von der Sie gekommen sind.',
    owner:
      'Eine Einbettungsadresse endet auf `/{video_id}/{base64_account_id}`: 20 hexadezimale Zeichen, dann die Konto-ID in Base64. Übernehmen Sie `embed_url` unverändert aus der API:',
  },
  notFound: {
    title: 'Video nicht gefunden',
    text: 'Dieses Video gibt es nicht, oder es wurde gelöscht.',
    owner:
      'Die Adresse ist richtig aufgebaut, aber zu ihrem Konto gehört kein solches Video. Vergleichen Sie sie mit `embed_url` aus:',
  },
  broken: {
    title: 'Etwas ist schiefgegangen',
    text: 'Das Video konnte nicht geladen werden. Bitte versuchen Sie es gleich noch einmal.',
  },
  failed: {
    title: 'Dieses Video kann nicht abgespielt werden',
    text: 'Es konnte nicht verarbeitet werden. Bitte geben Sie den Betreibern dieser Website Bescheid.',
    owner:
      'Das Video hat den Status `failed`, der sich nicht mehr ändert: Legen Sie es neu an. Der Grund steht in `error` von:',
  },
  outdated: {
    title: 'Die Einstellungen dieses Videos haben sich geändert',
    text: 'Bitte laden Sie die Seite neu, auf der das Video ist.',
  },
  noReferrer: {
    title: 'Dieses Video läuft nur innerhalb einer Website',
    text: 'Ihr Browser hat nicht mitgeteilt, in welche Website das Video eingebettet ist. Bitte öffnen Sie die Seite, zu der das Video gehört.',
    owner:
      'Der Anfrage fehlte der Header `Referer`. Achten Sie darauf, dass die Seite nicht `Referrer-Policy: no-referrer` sendet, und geben Sie dem iframe dieses Attribut:',
  },
  domainBlocked: {
    title: 'Dieses Video ist auf dieser Website nicht verfügbar',
    text: (host) => `Der Eigentümer des Videos hat \`${host}\` gesperrt.`,
    owner: () =>
      'Gesperrte Domains gehen erlaubten vor. Soll das Video hier laufen, entfernen Sie in den Player-Einstellungen aus `blocked_domains` den Eintrag, der auf diesen Host zutrifft:',
  },
  domainNotAllowed: {
    title: 'Dieses Video ist auf dieser Website nicht verfügbar',
    text: (host) => `Der Eigentümer des Videos hat \`${host}\` nicht zugelassen.`,
    owner: (host) =>
      `Ergänzen Sie diesen Eintrag in \`allowed_domains\` in den Player-Einstellungen. Er gilt für genau diesen Host; \`*.${host}\` gälte für seine Subdomains.`,
  },
  tokenMissing: {
    title: 'Bitte öffnen Sie dieses Video auf seiner Website',
    text: 'Es läuft nur über einen persönlichen Link, den seine Website für Sie erstellt.',
    owner:
      'Das Konto verlangt Viewer-Tokens, und der Adresse fehlt `vt`. Erzeugen Sie auf Ihrem Server für jeden Seitenaufruf ein Token und verwenden Sie dessen `embed_url`:',
  },
  tokenExpired: {
    title: 'Dieser Link ist abgelaufen',
    text: 'Bitte laden Sie die Seite neu, auf der das Video ist.',
    owner:
      'Das Viewer-Token in `vt` ist abgelaufen. Erzeugen Sie bei jedem Laden der Seite ein neues; `exp` ist Unix-Zeit in Sekunden, nicht in Millisekunden.',
  },
  tokenForged: {
    title: 'Dieser Link ist ungültig',
    text: 'Bitte laden Sie die Seite neu, auf der das Video ist.',
    owner:
      'Das Viewer-Token in `vt` lässt sich nicht bestätigen: Es wurde unterwegs verändert oder mit einem anderen Geheimnis signiert, etwa einem von vor einem Wechsel. Der HMAC-Schlüssel ist das Geheimnis als Text, alle 64 Zeichen, nicht aus Hex dekodiert.',
  },
  expInMilliseconds:
    'Das Viewer-Token in `vt` ist echt, doch sein `exp` ist eine Zeit in Millisekunden: Es liefe erst in Jahrtausenden ab und wird deshalb abgelehnt. Schreiben Sie Unix-Zeit in Sekunden:',
  tokenRevoked: {
    title: 'Ihr Zugang ist beendet',
    text: 'Der Eigentümer des Videos hat ihn entzogen. Wenn Sie das für einen Irrtum halten, wenden Sie sich bitte an ihn.',
    owner:
      'Die Viewer-ID in `vt` wurde im Konto gesperrt. Ein neues Token für dieselbe ID öffnet den Zugang nicht wieder.',
  },
  tooMany: {
    title: 'Zu viele Anfragen',
    text: 'Aus Ihrem Netz kommen zu viele Anfragen, die kein Video abspielen dürfen. Bitte warten Sie einen Moment und laden Sie die Seite neu, auf der das Video ist.',
    owner:
      'Anfragen ohne gültiges Viewer-Token sind für jedes Netz begrenzt, solche mit gültigem `vt` nicht: Erzeugen Sie für jeden Seitenaufruf ein Token und verwenden Sie dessen `embed_url`:',
  },
  openApp: {
    title: 'Dieses Video läuft in der App',
    text: 'Unter Android läuft dieses geschützte Video nur in der Player-App.',
  },
  openEdge: {
    title: 'Bitte öffnen Sie diese Seite in Microsoft Edge',
    text: 'Unter Windows läuft dieses geschützte Video nur in Edge. Kopieren Sie die Adresse der Seite, öffnen Sie Edge und fügen Sie sie dort ein.',
  },
  openSafari: {
    title: 'Bitte öffnen Sie diese Seite in Safari',
    text: 'Auf Mac, iPhone und iPad läuft dieses geschützte Video nur in Safari. Kopieren Sie die Adresse der Seite, öffnen Sie Safari und fügen Sie sie dort ein.',
  },
  guidance: {
    title: 'Dieses Gerät kann das Video nicht abspielen',
    text: 'Das Video braucht einen Hardware-Schutz, den dieser Browser nicht hat. Es läuft in der Android-App, unter Windows in Edge und auf Mac, iPhone und iPad in Safari.',
  },
  noHardware: {
    title: 'Der Hardware-Schutz fehlt',
    text: 'Dieser Browser könnte das Video abspielen, aber sein Hardware-Schutz fehlt oder ist ausgeschaltet. Installieren Sie die Updates von System und Browser, schalten Sie in den Einstellungen des Browsers die Hardwarebeschleunigung ein und laden Sie die Seite neu. Verwenden Sie sonst ein anderes Gerät oder die Android-App.',
  },
  openInApp: 'In der App öffnen',
  getApp: 'Android-App laden',
  askForApp: 'Sie haben die App nicht? Fragen Sie die Betreiber dieser Website, wo es sie gibt.',
  scanForApp:
    'Scannen Sie diesen Code mit Ihrem Android-Telefon, um die App zu laden. Öffnen Sie dann diese Seite auf dem Telefon.',
  directPlayNotFound: {
    title: 'Video nicht gefunden',
    text: 'Unter dieser Adresse gibt es kein Video zu sehen.',
    owner:
      'Entweder gibt es dieses Video nicht, oder Direct Play ist in seinem Konto ausgeschaltet (`direct_play` in den Player-Einstellungen).',
  },
  play: 'Abspielen',
  preview: 'Vorschau',
  needsScript:
    'Zum Abspielen dieses Videos wird JavaScript benötigt. Für den Betreiber dieser Website: Hat das iframe ein sandbox-Attribut, entfernen Sie es, denn es sperrt JavaScript.',
  untitledVideo: 'Video',
}
