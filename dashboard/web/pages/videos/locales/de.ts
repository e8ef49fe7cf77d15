import { plural } from '../../../locales/plural.ts'
import type { VideosWords } from './en.ts'

export const de: VideosWords = {
  tabs: {
    label: 'Bereiche dieses Videos',
    overview: 'Überblick',
    captions: 'Untertitel',
    chapters: 'Kapitel',
    moments: 'Momente',
    poster: 'Vorschaubild',
    renditions: 'Qualitätsstufen',
    embed: 'Einbetten',
  },
  details: {
    title: 'Beschreibung',
    edit: 'Bearbeiten',
    name: 'Titel',
    description: 'Beschreibung',
    noDescription: 'Keine Beschreibung',
    folder: 'Ordner',
    save: 'Speichern',
  },
  warnings: {
    title: 'Anders als die Quelldatei',
    texts: {
      picture_damaged:
        '{number} % des Bildes sind in der Datei beschädigt oder fehlen. Dort bleibt das letzte gute Bild stehen.',
      sound_damaged:
        '{number} % einer Tonspur sind in der Datei beschädigt oder fehlen. Dort ist Stille.',
      video_tracks_dropped:
        'Weitere Videospuren, die nicht abgespielt werden: {number}. Es gilt die Standardspur.',
      audio_tracks_dropped:
        'Tonspuren, die nicht abgespielt werden, weil es zu viele sind oder sie nicht lesbar sind: {number}',
      surround_downmixed: 'Tonspuren mit Raumklang, die in Stereo abgespielt werden: {number}',
      subtitles_dropped:
        'Untertitelspuren, die nicht gezeigt werden, weil sie aus Bildern bestehen, eine Sprache wiederholen oder nicht lesbar sind: {number}',
      chapters_dropped:
        'Kapitel der Datei, die nicht gezeigt werden, weil sie sich überschneiden oder außerhalb des Videos liegen: {number}',
      data_tracks_dropped: 'Datenspuren, die nicht behalten werden, etwa Zeitcodes: {number}',
      attachments_dropped:
        'Angehängte Dateien, die nicht behalten werden, etwa Schriften und Titelbilder: {number}',
      hdr_converted: 'Das HDR-Bild wird in SDR gezeigt.',
      transparency_dropped: 'Durchsichtige Teile des Bildes werden nicht als solche gezeigt.',
      corners_cut: 'Das Bild ist schräg gedreht. Seine Ecken sind abgeschnitten.',
      frame_rate_reduced:
        'Die Datei hat {number} Bilder pro Sekunde. Höchstens 60 werden abgespielt.',
    },
  },
  captions: {
    list: 'Untertitel dieses Videos',
    empty: 'Dieses Video hat noch keine Untertitel.',
    default: 'Standard',
    shownAtStart: 'Player zeigen Untertitel von Anfang an.',
    hiddenAtStart: 'Player zeigen Untertitel, wenn man sie einschaltet.',
    defaultLanguage: 'Standardsprache:',
    settings: 'Das gilt für alle Videos des Kontos und gehört zu den Player-Einstellungen.',
    show: 'Text zeigen',
    hide: 'Text verbergen',
    replace: 'Ersetzen',
    replaceTitle: '„{label}“ ersetzen',
    add: 'Untertitel hinzufügen',
    addInstead: 'Stattdessen eine andere Sprache hinzufügen',
    choose: 'Datei wählen',
    drop: 'Oder eine WebVTT-Datei hierher ziehen (.vtt, höchstens {size}).',
    tooLarge: 'Die Datei ist größer als {size}.',
    language: 'Sprache',
    languageHint: 'Ein Kürzel wie en oder pt-BR',
    label: 'Name',
    labelHint: 'So steht er im Player',
    deleteTitle: 'Diese Untertitel löschen?',
    deleteText: '„{label}“ wird gelöscht und im Player nicht mehr angeboten.',
    deleteSubmit: 'Untertitel löschen',
  },
  chapters: {
    hint: 'Spielen Sie das Video ab und fügen Sie ein Kapitel dort hinzu, wo es beginnt. Ziehen Sie eine Grenze oder verschieben Sie sie mit den Pfeiltasten. Für Zuschauer ändert sich nichts, bis Sie speichern.',
    empty: 'Noch keine Kapitel.',
  },
  moments: {
    hint: 'Spielen Sie das Video ab und fügen Sie einen Moment dort hinzu, wo er geschieht. Ziehen Sie ihn oder verschieben Sie ihn mit den Pfeiltasten. Für Zuschauer ändert sich nichts, bis Sie speichern.',
    empty: 'Noch keine Momente.',
  },
  marks: {
    timeline: 'Zeitleiste: {title}',
    untitled: 'Ohne Titel',
    text: 'Titel',
    start: 'Beginn',
    end: 'Ende',
    time: 'Zeit',
    startOf: 'Beginn von {title}',
    endOf: 'Ende von {title}',
    remove: '{title} entfernen',
    play: 'Abspielen',
    playFrom: 'Ab {title} abspielen',
    addAt: 'Bei {time} hinzufügen',
    taken: 'An dieser Stelle gibt es schon einen Eintrag, oder es bleibt keine Zeit.',
    notTime: 'Minuten und Sekunden, etwa 1:05',
    unsaved: plural({
      one: '{number} ungespeicherte Änderung',
      other: '{number} ungespeicherte Änderungen',
    }),
    refused: 'Die Änderungen wurden nicht gespeichert. Siehe das markierte Feld.',
  },
  poster: {
    current: 'Aktuelles Vorschaubild',
    public:
      'Jeder mit der Adresse kann es sehen. Eine neue Wahl erscheint sofort, wenn eine Seite neu geladen wird.',
    none: 'Das Vorschaubild entsteht, wenn alle Qualitätsstufen fertig sind.',
    frames: 'Bild wählen',
    hint: 'Diese Bilder sind nur hier zu sehen, bis Sie eines wählen.',
    noFrames:
      'Für dieses Video wurden keine Einzelbilder aufgehoben, weil eine ältere Version es vorbereitet hat. Sie können stattdessen ein Bild hochladen.',
    automatic: 'Automatisch',
    frame: 'Bild {number}',
    chosen: 'Das Vorschaubild wurde geändert.',
    uploaded: 'Hochgeladen',
    own: 'Eigenes Bild hochladen',
    choose: 'Datei wählen',
    drop: 'Oder legen Sie ein JPEG, PNG oder WebP hier ab: höchstens {size}, am besten mindestens 1280 Pixel breit.',
    tooLarge: 'Die Datei ist größer als {size}.',
    preview: 'Das gewählte Bild',
    ownHint:
      'Es wird zum Vorschaubild, sobald es vorbereitet ist, und behält seine Form. Ort und andere verborgene Angaben der Datei werden entfernt.',
    upload: 'Als Vorschaubild verwenden',
    preparing: 'Ihr Bild wird vorbereitet. Das Vorschaubild ändert sich gleich.',
    unchanged: 'Das Vorschaubild ist unverändert.',
    refusals: {
      format: 'Das ist kein Bild im Format JPEG, PNG oder WebP.',
      animated: 'Das Bild ist animiert. Ein Vorschaubild steht still.',
      pixels: 'Das Bild hat mehr als 50 Millionen Pixel.',
      small: 'Das Bild ist zu klein: Die längere Seite braucht mindestens 320 Pixel.',
      damaged:
        'Das Bild ist beschädigt oder unvollständig. Speichern Sie es neu oder wählen Sie ein anderes.',
      storage: 'Der Speicher des Tarifs ist voll.',
      busy: 'Zehn Bilder dieses Kontos werden noch vorbereitet. Versuchen Sie es gleich noch einmal.',
      internal: 'Das Bild konnte nicht vorbereitet werden. Versuchen Sie es noch einmal.',
    },
  },
  renditions: {
    none: 'Die Qualitätsstufen erscheinen hier, sobald sie veröffentlicht sind.',
    name: 'Stufe',
    picture: 'Bild',
    codecs: 'Codecs',
    bitRate: 'Höchste Bitrate',
    size: 'Größe',
    published: 'Veröffentlicht',
    video: 'Video',
    audio: 'Ton',
    total: 'Insgesamt gespeichert: {size}.',
    other: 'Davon sind {size} Vorschaubilder, Einzelbilder und, falls aufgehoben, das Original.',
  },
  embed: {
    iframe: 'Iframe',
    iframeHint: 'Läuft auf jeder Seite. Fügen Sie ihn dort ein, wo das Video spielen soll.',
    element: 'Mit Steuerung durch Ihre Seite',
    elementHint: 'Das Element hat play(), currentTime und Ereignisse wie ein <video>.',
    token: 'Zuschauer-Token auf Ihrem Server signieren',
    tokenHint:
      'Wenn die Wiedergabe Token verlangt, signiert Ihr Server eines für jeden Zuschauer. Der Code gibt die Adresse der Einbettung aus.',
    tokenWarning:
      'Das Signiergeheimnis steht in den Wasserzeichen-Einstellungen. Es bleibt auf Ihrem Server; senden Sie Seiten mit einem Token mit Cache-Control: private, no-store.',
    sdk: 'Oder ein Token mit dem SDK anfordern',
    sdkHint: 'Braucht einen API-Schlüssel mit dem Recht playback:sign.',
  },
  list: {
    label: 'Auswahl',
    select: '{title} auswählen',
    selectAll: 'Alle auf dieser Seite auswählen',
    selected: plural({ one: '{number} Video ausgewählt', other: '{number} Videos ausgewählt' }),
    allMatching: plural({
      one: '{number} Treffer auswählen',
      other: 'Alle {number} Treffer auswählen',
    }),
    onlyPage: 'Nur diese Seite',
    move: 'Verschieben',
    clear: 'Auswahl aufheben',
    moveTitle: plural({ one: '{number} Video verschieben', other: '{number} Videos verschieben' }),
    deleteTitle: plural({ one: '{number} Video löschen', other: '{number} Videos löschen' }),
    deleteText: 'Diese Videos werden gelöscht:',
    deleteSubmit: plural({ one: '{number} Video löschen', other: '{number} Videos löschen' }),
    titleHas: 'Titel enthält',
    filter: 'Filter',
    noFilter: 'keiner: alle Videos des Kontos',
  },
  add: {
    newFolder: 'Neuer Ordner …',
    newFolderName: 'Name des neuen Ordners',
    refused: {
      invalid_source_url:
        'Das ist kein Link zu einer Datei. Er beginnt mit https:// und hat keinen anderen Port als 443 oder 8443.',
      source_not_allowed:
        'Dieser Link führt in ein privates Netz. Verwenden Sie eine Adresse, die jeder im Internet öffnen kann.',
      source_unreachable:
        'Die Datei lässt sich unter diesem Link nicht öffnen. Prüfen Sie, ob sie sich in einem privaten Fenster ohne Anmeldung öffnet.',
      unsupported_source_type:
        'Unter diesem Link liegt keine Videodatei, vielleicht aber eine Seite, die eine zeigt. Verwenden Sie den Link zur Datei selbst.',
      source_too_large:
        'Die Datei ist zu groß. Exportieren Sie sie kleiner und versuchen Sie es noch einmal.',
      insufficient_storage:
        'Der Tarif hat keinen Platz für diese Datei. Geben Sie Speicher frei oder wechseln Sie den Tarif.',
      too_many_redirects:
        'Der Link leitet zu oft weiter. Verwenden Sie den Link, bei dem er endet.',
      folder_exists: 'Es gibt schon einen Ordner mit diesem Namen. Wählen Sie ihn in der Liste.',
      too_many_folders: 'Das Konto hat schon die 1.000 Ordner, die es haben darf.',
    },
  },
  folders: {
    title: 'Ordner',
    empty: 'Es gibt noch keine Ordner.',
    newName: 'Neuer Ordner',
    create: 'Anlegen',
    rename: 'Name des Ordners {name}',
    remove: 'Ordner {name} löschen',
  },
}
