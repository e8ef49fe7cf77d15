import 'media-chrome/lang/de.js'
import type { Words } from './words.ts'

const words: Words = {
  messages: {
    no_encrypted_media:
      'Dieses Video ist geschützt, und diese Website erlaubt dem Player nicht, es zu entschlüsseln.',
    sandboxed:
      'Dieses Video ist geschützt und kann in einem Sandbox-Rahmen nicht abgespielt werden.',
    insecure: 'Dieses Video ist geschützt und läuft nur auf sicheren Seiten.',
    unsupported:
      'Dieser Browser kann keine geschützten Videos abspielen. Bitte verwenden Sie einen aktuellen Browser.',
    licence_refused: 'Dieses Video darf hier nicht mehr abgespielt werden.',
    session_ended: 'Ihre Wiedergabesitzung ist beendet.',
    secret_rotated:
      'Die Website hat Ihren Zugang erneuert. Laden Sie die Seite neu, um fortzufahren.',
    video_deleted: 'Dieses Video ist nicht mehr verfügbar.',
    viewer_revoked: 'Ihr Zugang zu diesem Video wurde entzogen.',
    too_many_streams:
      'Mit Ihrem Zugang laufen bereits so viele Videos gleichzeitig wie erlaubt. Schließen Sie ein anderes und laden Sie neu.',
    network:
      'Die Verbindung ist unterbrochen. Die Wiedergabe geht von selbst weiter, sobald sie zurück ist.',
    watermark: 'Die Wiedergabe wurde beendet, weil das Bild manipuliert wurde.',
    failed: 'Das Video konnte nicht abgespielt werden.',
  },
  forOwner: 'Für den Betreiber dieser Website',
  fixes: {
    no_encrypted_media: 'Ergänzen Sie encrypted-media im allow-Attribut des iframe:',
    sandboxed: 'Entfernen Sie das sandbox-Attribut vom iframe.',
    insecure: 'Liefern Sie die Seite mit dem iframe über https aus.',
  },
  retry: 'Erneut versuchen',
  reload: 'Neu laden',
  copyDetails: 'Angaben kopieren',
  copied: 'Kopiert',
  menus: {
    quality: 'Qualität',
    auto: 'Automatisch',
    speed: 'Geschwindigkeit',
    normalSpeed: 'Normal',
    captions: 'Untertitel',
    captionsOff: 'Aus',
    audio: 'Ton',
    audioTrack: 'Tonspur {number}',
    chapters: 'Kapitel',
    moments: 'Momente',
    keyboard: 'Tastenkürzel',
    back: 'Zurück zu den Einstellungen',
  },
  help: {
    title: 'Tastenkürzel',
    close: 'Schließen',
    or: 'oder',
    playPause: 'Wiedergabe oder Pause',
    back10: '10 Sekunden zurück',
    forward10: '10 Sekunden vor',
    back5: '5 Sekunden zurück',
    forward5: '5 Sekunden vor',
    volumeUp: 'Lauter',
    volumeDown: 'Leiser',
    mute: 'Ton aus oder ein',
    fullScreen: 'Vollbild',
    pictureInPicture: 'Bild im Bild',
    captions: 'Untertitel aus oder ein',
    speedDown: 'Langsamer',
    speedUp: 'Schneller',
    jump: 'Zu 0 % … 90 % springen',
    startEnd: 'Anfang, Ende',
    showHelp: 'Diese Kürzel',
  },
  announce: {
    playing: 'Wiedergabe',
    paused: 'Pause',
    ended: 'Das Video ist zu Ende',
    muted: 'Ton aus',
    unmuted: 'Ton ein',
    volume: 'Lautstärke {percent} %',
    speed: 'Geschwindigkeit {rate}×',
    captionsOn: 'Untertitel: {label}',
    captionsOff: 'Untertitel aus',
    seeked: '{time}',
    waiting: 'Warten auf die Verbindung …',
    resumed: 'Fortgesetzt bei {time}',
  },
}

export default words
