import { plural } from '../../locales/plural.ts'
import type { UploadsWords } from './en.ts'

export const de: UploadsWords = {
  title: 'Uploads',
  sending: plural({
    one: '{number} Datei wird hochgeladen',
    other: '{number} Dateien werden hochgeladen',
  }),
  asking: plural({
    one: '{number} Upload braucht Sie',
    other: '{number} Uploads brauchen Sie',
  }),
  finished: 'Alle Uploads sind fertig',
  show: 'Uploads anzeigen',
  hide: 'Uploads ausblenden',
  close: 'Uploads schließen',
  progress: 'Fortschritt von {name}',
  total: 'Fortschritt aller Uploads',
  speed: '{size}/s',
  states: {
    waiting: 'Wartet',
    starting: 'Beginnt',
    finishing: 'Wird abgeschlossen',
    paused: 'Pausiert bei {percent}',
    choose: 'Pausiert bei {percent}: Wählen Sie dieselbe Datei noch einmal, um fortzufahren',
    chooseFirst: 'Noch nicht gesendet: Wählen Sie dieselbe Datei noch einmal',
    done: 'Hochgeladen',
  },
  delays: {
    network: 'Keine Verbindung. Es geht von selbst weiter.',
    'sign-in': 'Melden Sie sich wieder an, dann geht es weiter.',
    server: 'Der Server ist nicht bereit. Es geht von selbst weiter.',
  },
  actions: {
    pause: '{name} pausieren',
    resume: '{name} fortsetzen',
    retry: 'Noch einmal versuchen: {name}',
    cancel: '{name} abbrechen',
    dismiss: '{name} aus der Liste nehmen',
    choose: 'Datei wählen',
  },
  otherFile: 'Das ist eine andere Datei. Wählen Sie {name} mit {size}.',
  cancel: {
    title: 'Diesen Upload abbrechen?',
    text: '{size} von {name} sind schon hochgeladen. Sie werden gelöscht.',
    submit: 'Upload abbrechen',
    keep: 'Behalten',
  },
  failures: {
    insufficient_storage:
      'Der Tarif hat nicht genug Speicher übrig. Geben Sie Speicher frei, oder wechseln Sie den Tarif.',
    source_too_large: 'Die Datei ist zu groß. Exportieren Sie sie kleiner.',
    too_many_uploads:
      'Das Konto hat zu viele unfertige Uploads. Brechen Sie einige ab, oder warten Sie auf andere.',
    no_active_plan: 'Das Konto hat keinen aktiven Tarif.',
    drm_provider_not_configured: 'Der Betreiber muss zuerst Multi-DRM einrichten.',
    insufficient_role: 'Sie dürfen diesem Konto keine Videos mehr hinzufügen.',
    folder_not_found:
      'Den Ordner gibt es nicht mehr. Brechen Sie ab, und wählen Sie einen anderen.',
    too_many_folders: 'Das Konto hat schon die Höchstzahl von 1.000 Ordnern.',
    upload_not_found:
      'Der Upload wurde abgebrochen oder ist abgelaufen. Versuchen Sie es noch einmal von vorn.',
    file_unreadable:
      'Die Datei wurde verschoben, geändert oder gelöscht. Wählen Sie sie noch einmal.',
  },
  failed: 'Sie konnte nicht hochgeladen werden ({code}).',
  refusals: {
    not_video: 'Das ist keine Videodatei.',
    empty: 'Die Datei ist leer.',
    too_large: 'Die Datei ist größer als {max}.',
    no_room: 'Der Tarif hat nur noch {room} übrig.',
  },
  said: {
    added: plural({
      one: '{number} Datei wird hochgeladen',
      other: '{number} Dateien werden hochgeladen',
    }),
    done: '{name} ist hochgeladen',
    failed: '{name} wurde nicht hochgeladen: {reason}',
    found: plural({
      one: '{number} Upload ist unfertig: Wählen Sie seine Datei noch einmal',
      other: '{number} Uploads sind unfertig: Wählen Sie ihre Dateien noch einmal',
    }),
  },
}
